import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import type { TestBrowser } from '@watchword/testkit/browser';
import { followFlow } from '@watchword/testkit/follow-flow';
import { placeDatabase } from '@watchword/testkit/place-database';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ConsolePage, consolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

const password = 'correct horse battery';

let gui: OpenConsole<AccountServer>;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let browser: TestBrowser;
let server: AccountServer;
let visitor: ConsolePage;
before(async () => {
  directory = await temporaryDirectory();
  const file = directory.file('places.mmdb');
  const [town, country] = [{ en: 'Utrecht' }, { en: 'Netherlands' }];
  await writeFile(file, placeDatabase('127.0.0.0', 8, town, country));
  gui = await openConsole(startAccountServer({ 'pages.placeDatabase': file }));
  ({ browser, server, visitor } = gui);
  for (const username of ['emma', 'gwen']) await server.addAccount(username);
  await server.addAccount('finn', true);
  await visitor.signIn('root', '/nowhere', password);
});
after(async () => {
  await gui[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

describe('the page of a person', () => {
  const part = (name: string) =>
    visitor.page.locator('section').filter({ has: visitor.page.getByRole('heading', { name, exact: true }) });

  it('shows account, access, logins, tokens and audit events of this person alone', async () => {
    const { page } = visitor;
    for (const username of ['emma', 'gwen']) await server.grantTo(username);
    await visitor.goTo('/people/password/emma');
    await part('Logins').getByText('1 login').waitFor();
    await part('Audit log').getByText('login of emma').waitFor();
    await part('Audit log').getByText('grant to demo-app').waitFor();
    await part('Account').getByText('active').waitFor();
    await part('Grants').getByText('refresh token, 1 access token').waitFor();
    await part('Access tokens').getByRole('cell', { name: 'demo-app', exact: true }).waitFor();
    await part('Access tokens').getByText('1 token').waitFor();
    assert.equal(await page.locator('main').getByText('gwen').count(), 0);
    await visitor.assertAccessible();
  });

  it('ends logins, grants, tokens and consents of this person with one confirmed action', async () => {
    const { page } = visitor;
    const agent = await server.browserOf('finn');
    const { access_token } = await server.grantTo('finn', agent);
    const other = await server.grantTo('gwen');
    await visitor.goTo('/people/password/finn');
    await page.locator('.danger-zone').getByRole('button', { name: 'End everything' }).click();
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
    assert.ok(!(await isLoggedIn(agent, server)));
  });
});

describe('the page of a person with an account', () => {
  const part = (name: string) =>
    visitor.page.locator('section').filter({ has: visitor.page.getByRole('heading', { name, exact: true }) });

  it('is accessible on a phone and in the dark', async () => {
    const { page } = visitor;
    await server.grantTo('emma');
    await visitor.goTo('/people/password/emma');
    await part('Access tokens').getByText('1 token').waitFor();
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

  it('ends one login, which is told by its device, address and place', async () => {
    const { page } = visitor;
    await server.grantTo('gwen');
    const ended = new UserAgent({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
    const account = await ended.get(`${server.baseUrl}/account`);
    await ended.submit(account, { username: 'gwen', password });
    await visitor.goTo('/people/password/gwen');
    const row = part('Logins').getByRole('row', { name: 'Firefox, Linux' });
    await row.getByText('127.0.0.1 · Utrecht, Netherlands').waitFor();
    await part('Logins').getByRole('row', { name: 'Unknown device' }).first().waitFor();
    await row.getByRole('button', { name: 'Actions on the login with Firefox, Linux' }).click();
    await page.getByRole('menuitem', { name: 'End this login' }).click();
    await page.getByRole('dialog').getByText('Utrecht, Netherlands').waitFor();
    await visitor.assertAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'End this login' }).click();
    await page.getByText('The login has ended').waitFor();
    assert.ok(!(await isLoggedIn(ended, server)));
    await part('Grants').getByText('1 access token').first().waitFor();
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

  it('shows with which other identity providers they log in, and removes a link', async () => {
    const { page } = visitor;
    const { accounts, accountLinks } = server.service.store;
    const { id: accountId } = (await accounts.find('emma')) ?? assert.fail('no account');
    await accountLinks.create({
      ...{ subject: 'emma at google', accountId, authenticator: 'google', name: 'Emma S.' },
      ...{ identityProvider: 'https://accounts.example', creationDate: Date.now(), lastUsed: 0 },
    });
    await visitor.goTo('/people/password/emma');
    const links = part('Linked identity providers');
    await links.getByRole('row', { name: 'Emma S.' }).getByText('never').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('person-links');
    await links.getByRole('button', { name: 'Actions on the link with google' }).click();
    await page.getByRole('menuitem', { name: 'Remove the link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the link with google?' });
    await visitor.assertAccessible();
    await dialog.getByRole('button', { name: 'Remove the link' }).click();
    await page.getByText('The link with google is removed.').waitFor();
    await links.waitFor({ state: 'detached' });
    assert.deepEqual(await accountLinks.listOfAccount(accountId), []);
  });

  it('shows their passkeys and second factors, and removes one or all', async () => {
    const { page } = visitor;
    const { credentials } = server.service.store;
    await server.addAccount('otto');
    const owner = { identityProvider: 'password', name: 'otto' };
    const add = (id: string, kind: 'totp' | 'passkey' | 'recovery_code', name: string) => {
      const kept = { creationDate: Date.now(), lastUsed: 0, counter: 0, data: '{}' };
      return credentials.create({ id, kind, name, owner, subject: 'of otto', ...kept }, 9);
    };
    await add('019b76da-a800-7a57-899d-6e21a5a81201', 'totp', 'Phone');
    await add('019b76da-a800-7a57-899d-6e21a5a81202', 'passkey', 'Laptop');
    await add('019b76da-a800-7a57-899d-6e21a5a81203', 'recovery_code', '');
    await add('019b76da-a800-7a57-899d-6e21a5a81204', 'recovery_code', '');
    await visitor.goTo('/');
    const counted = part('Factors of accounts');
    await counted
      .getByRole('listitem')
      .filter({ hasText: /^Passkey1/ })
      .waitFor();
    await counted.getByText('2 administrators have neither a passkey nor an app for codes.').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('overview-factors');
    await visitor.goTo('/people/password/otto');
    const factors = part('Passkeys and second factors');
    await factors.getByRole('row', { name: 'Phone' }).getByText('never').waitFor();
    await factors.getByText('2 recovery codes').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('person-factors');
    await factors.getByRole('button', { name: 'Actions on: App for one-time codes Phone' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('App for one-time codes Phone').waitFor();
    await visitor.assertAccessible();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await factors.getByRole('row', { name: 'Phone' }).waitFor({ state: 'detached' });
    await page.locator('.danger-zone').getByRole('button', { name: 'Remove all factors' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all factors' }).click();
    await factors.waitFor({ state: 'detached' });
    assert.deepEqual(await credentials.listByOwner(owner), []);
  });

  it('shows what they were asked by mail to confirm, and ends it', async () => {
    const { page } = visitor;
    const { accounts, personLinks } = server.service.store;
    const { id: accountId } = (await accounts.find('emma')) ?? assert.fail('no account');
    await personLinks.create({
      ...{ id: '019b76da-a800-7a57-899d-6e21a5a8121f', purpose: 'change_address', accountId },
      ...{ digest: Buffer.alloc(32), data: '', address: 'new@example.org' },
      ...{ creationDate: Date.now(), expires: Date.now() + 60_000 },
    });
    await visitor.goTo('/people/password/emma');
    await page.reload();
    const waiting = part('Pending confirmations');
    await waiting.getByRole('row', { name: 'new@example.org' }).getByText('a new e-mail address').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('person-confirmations');
    await waiting.getByRole('button', { name: 'Actions for the confirmation of new@example.org' }).click();
    await page.getByRole('menuitem', { name: 'End' }).click();
    const dialog = page.getByRole('dialog', { name: 'End the confirmation?' });
    await visitor.assertAccessible();
    await dialog.getByRole('button', { name: 'End' }).click();
    await waiting.waitFor({ state: 'detached' });
    assert.deepEqual(await personLinks.list({ accountId, limit: 9 }), []);
    await part('Audit log').getByText('confirmation by mail of emma').waitFor();
  });
});

describe('the page of many accounts', () => {
  before(() => visitor.signIn('root', '/accounts', password));

  it('finds accounts by state among more than the browser reads', async () => {
    await using many = await startAccountServer();
    await many.addManyAccounts(2100);
    await many.addAccount('zoe', true);
    const { accounts } = many.service.store;
    await accounts.update('many-3099', { disabled: true }, Date.now());
    await using other = await consolePage(browser, many);
    await other.signIn('root', '/accounts', password);
    await other.page.getByText('Only the first 2,000').waitFor();
    for (const [state, name] of [
      ['Disabled', 'many-3099'],
      ['Administrators', 'zoe'],
    ] as const) {
      await other.page.getByLabel('Which ones').selectOption(state);
      await other.page.getByRole('row', { name }).waitFor();
      assert.equal(await other.page.getByText('Only the first').count(), 0);
    }
    await other.page.getByLabel('Which ones').selectOption('Without a password');
    await other.page.getByText('Only the first 2,000').waitFor();
    assert.deepEqual(other.errors(), []);
  });

  it('is usable on a phone and in the dark', async () => {
    const { page } = visitor;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByText('The finn').waitFor();
    await visitor.screenshot('accounts-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('The finn').waitFor();
    await visitor.screenshot('accounts-phone-dark');
    await visitor.assertAccessible();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('is offered only where users log in with local accounts', async () => {
    await using elsewhere = await startAdministration();
    await using other = await consolePage(browser, elsewhere);
    await other.signIn('root', '/clients', JSON.stringify({ adminPrincipal: true }));
    const menu = other.page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Audit log' }).waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Accounts' }).count(), 0);
  });
});

describe('the page of a person of several identity providers', () => {
  let gui: OpenConsole<AdministrationServer>;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openConsole(startAdministration());
    ({ server, visitor } = gui);
  });
  after(() => gui[Symbol.asyncDispose]());

  const grant = async (username: string, identityProvider: string) => {
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    const persona = JSON.stringify({ identityProvider });
    const { parameters } = await followFlow(new UserAgent(), url, { username, password: persona });
    const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
    await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret');
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

describe('the page of accounts', () => {
  const row = (name: string) => visitor.page.getByRole('row', { name });

  it('creates an account and shows its reset link once', async () => {
    const { page } = visitor;
    await visitor.goTo('/accounts');
    await page.getByRole('button', { name: 'Create an account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill(' nina');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('without space at its ends').waitFor();
    await dialog.getByLabel('Username').fill('nina');
    await dialog.getByLabel('Groups').fill('staff, ops,');
    await visitor.screenshot('accounts-new');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const link = await dialog.getByTestId('secret').innerText();
    assert.match(link, /\/account\/set-password\?link=wwp_/);
    await visitor.screenshot('accounts-link');
    await visitor.assertAccessible();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await row('nina').getByText('no password yet').waitFor();
    await row('nina').getByText('staff, ops').waitFor();
    assert.ok(!(await page.content()).includes('wwp_'));
  });
});
