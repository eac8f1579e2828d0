import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, isLoggedIn, startAccountServer } from '@watchword/server-testkit/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const password = 'correct horse';

let browser: TestBrowser;
let server: AccountServer;
let visitor: ConsolePage;
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startAccountServer()]);
  for (const username of ['emma', 'gwen']) await server.addAccount(username);
  await server.addAccount('finn', true);
  visitor = await consolePage(browser, server);
  await visitor.signIn('root', '/nowhere', password);
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
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
    await part('Audit log').getByText('access for demo-app').waitFor();
    await part('Account').getByText('active').waitFor();
    await part('Access').getByText('refresh token, 1 access token').waitFor();
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
