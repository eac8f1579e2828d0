import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, isLoggedIn, startAccountServer } from '@watchword/server-testkit/account-server';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const password = 'correct horse';

describe('the page of a person', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAccountServer()]);
    for (const username of ['emma', 'finn', 'gwen']) await server.addAccount(username);
    visitor = await consolePage(browser, server);
    await visitor.signIn('root', '/nowhere', password);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const part = (name: string) =>
    visitor.page.locator('section').filter({ has: visitor.page.getByRole('heading', { name, exact: true }) });

  it('is linked from access, tokens and accounts', async () => {
    const { page } = visitor;
    await server.grantTo('emma');
    for (const route of ['/access?q=emma', '/tokens?q=emma', '/accounts?q=emma']) {
      await visitor.goTo(route);
      await page.getByRole('row', { name: 'emma' }).getByRole('link', { name: 'emma' }).first().click();
      await page.getByRole('heading', { name: 'The emma', level: 1 }).waitFor();
      assert.ok(page.url().endsWith('#/people/password/emma'));
    }
  });

  it('shows account, access, logins, tokens and audit events of this person alone', async () => {
    const { page } = visitor;
    await server.grantTo('gwen');
    await visitor.goTo('/people/password/emma');
    await part('Logins').getByText('1 login').waitFor();
    await part('Audit log').getByText('login of emma').waitFor();
    await part('Audit log').getByText('access for demo-app').waitFor();
    await part('Account').getByText('active').waitFor();
    await part('Access').getByText('refresh token, 1 access token').waitFor();
    await part('Access tokens').getByRole('cell', { name: 'demo-app', exact: true }).waitFor();
    await part('Access tokens').getByText('1 token').waitFor();
    assert.equal(await page.locator('main').getByText('gwen').count(), 0);
    await visitor.assertAccessible();
    await visitor.screenshot('person-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visitor.screenshot('person-dark');
    await page.setViewportSize({ width: 360, height: 740 });
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'));
    await visitor.assertAccessible();
    await visitor.screenshot('person-phone-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('ends logins, grants, tokens and consents of this person with one confirmed action', async () => {
    const { page } = visitor;
    const agent = await server.browserOf('finn');
    const { access_token } = await server.grantTo('finn', agent);
    const other = await server.grantTo('gwen');
    await visitor.goTo('/people/password/finn');
    await page.getByRole('button', { name: 'End everything' }).click();
    const dialog = page.getByRole('dialog', { name: 'End everything of finn?' });
    await dialog.getByText('1 grant, with every access and refresh token').waitFor();
    await dialog.getByText('1 remembered consent').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('person-end');
    await dialog.getByRole('button', { name: 'End everything' }).click();
    await page.getByText('1 grant and 1 login of finn ended').waitFor();
    await page.getByText('No client can act for this person.').waitFor();
    await page.getByText('No token is valid in the name of this person.').waitFor();
    assert.equal(await server.tokenStatus(access_token), 404);
    assert.equal(await server.tokenStatus(other.access_token), 200);
    assert.equal(await isLoggedIn(agent, server), false);
  });

  it('ends one login', async () => {
    const { page } = visitor;
    const ended = await server.browserOf('gwen');
    await visitor.goTo('/people/password/gwen');
    await part('Logins').getByRole('button', { name: 'Actions on the login by password' }).first().click();
    await page.getByRole('menuitem', { name: 'End this login' }).click();
    await visitor.assertAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'End this login' }).click();
    await page.getByText('The login has ended').waitFor();
    assert.equal(await isLoggedIn(ended, server), false);
    await part('Access').getByText('1 access token').first().waitFor();
  });

  it('disables, enables and resets the account', async () => {
    const { page } = visitor;
    await visitor.goTo('/people/password/gwen');
    await page.getByRole('button', { name: 'Disable…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await part('Account').getByText('disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await part('Account').getByText('active').waitFor();
    await page.getByRole('button', { name: 'Reset the password…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the password' }).click();
    assert.match(await page.getByTestId('secret').innerText(), /link=wwp_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await part('Account').getByText('no password yet').waitFor();
    await part('Account').getByText('Reset link expires').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('the page of a person of several identity providers', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    visitor = await consolePage(browser, server);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const grant = async (username: string, identityProvider: string) => {
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    const persona = JSON.stringify({ identityProvider });
    const { parameters } = await followFlow(new UserAgent(), url, { username, password: persona });
    const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
    await server.post('/oauth2/token', form, 'demo-app:demo-app-secret');
  };

  it('takes the same name at another identity provider for another person', async () => {
    await grant('emma', 'https://idp.example/a?b#c');
    await grant('emma', 'https://other.example');
    await visitor.signIn('root', '/access?q=emma', JSON.stringify({ adminPrincipal: true }));
    const { page } = visitor;
    await page.getByRole('row', { name: 'https://idp.example' }).getByRole('link', { name: 'emma' }).click();
    await page.getByRole('heading', { name: 'emma', level: 1 }).waitFor();
    await page.locator('.page-header').getByText('https://idp.example/a?b#c').waitFor();
    await page.getByText('1 grant', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 grant', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'End everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End everything' }).click();
    await page.getByText('No client can act for this person.').waitFor();
    await visitor.goTo('/access?q=emma');
    await page.getByRole('row', { name: 'https://other.example' }).waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('is for administrators only', async () => {
    await visitor.signIn('stranger', '/people/any-person/emma', '{}');
    await visitor.page.getByText('Only administrators see the page of a person').waitFor();
    await visitor.goTo('/people/%E0%A4%A/emma');
    await visitor.page.getByText('There is no such page').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('is none for an empty name, for which the lists of the server would have all people', async () => {
    await visitor.signIn('root', '/people/any-person/', JSON.stringify({ adminPrincipal: true }));
    await visitor.page.getByText('There is no such page').waitFor();
    assert.equal(await visitor.page.getByRole('button', { name: 'End everything' }).count(), 0);
  });
});
