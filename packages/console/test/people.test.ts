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
  for (const username of ['emma', 'gwen', 'hugo']) await server.addAccount(username);
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
});

describe('the page of accounts', () => {
  before(() => visitor.goTo('/accounts'));

  const row = (name: string) => visitor.page.getByRole('row', { name });
  const act = async (username: string, label: string) => {
    await visitor.page.getByRole('button', { name: `Actions for ${username}` }).click();
    await visitor.page.getByRole('menuitem', { name: label }).click();
    return visitor.page.getByRole('dialog');
  };

  it('lists and searches accounts', async () => {
    const { page } = visitor;
    await row('hugo').waitFor();
    await visitor.screenshot('accounts');
    await page.getByLabel('Search accounts').fill('FIN');
    await row('hugo').waitFor({ state: 'detached' });
    await row('finn').waitFor();
    await page.getByLabel('Search accounts').fill('');
    await page.getByLabel('Which ones').selectOption('Administrators');
    await row('hugo').waitFor({ state: 'detached' });
    await page.getByLabel('Which ones').selectOption('All accounts');
    await row('hugo').waitFor();
    await visitor.assertAccessible();
  });

  it('creates an account and shows its reset link once', async () => {
    const { page } = visitor;
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

  it('edits, disables, enables, resets and deletes, and shows before what ends', async () => {
    const { page } = visitor;
    const edit = await act('hugo', 'Edit…');
    await edit.getByLabel('Display name').fill('Hugo the Second');
    await visitor.screenshot('accounts-edit');
    await edit.getByRole('button', { name: 'Save' }).click();
    await row('Hugo the Second').waitFor();

    await server.browserOf('hugo');
    const disable = await act('hugo', 'Disable…');
    await disable.getByText('all logins of this user end').waitFor();
    await visitor.screenshot('accounts-disable');
    await disable.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('hugo is disabled: 1 login and 0 grants ended').waitFor();
    await row('hugo').getByText('disabled', { exact: true }).waitFor();
    await (await act('hugo', 'Enable…')).getByRole('button', { name: 'Enable' }).click();
    await row('hugo').getByText('active').waitFor();

    const reset = await act('hugo', 'Reset the password…');
    await reset.getByRole('button', { name: 'Reset the password' }).click();
    await page.getByRole('dialog', { name: 'The password is reset' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await row('hugo').getByText('no password yet').waitFor();

    const remove = await act('hugo', 'Delete…');
    await remove.getByRole('textbox').fill('hugo');
    await remove.getByRole('button', { name: 'Delete' }).click();
    await row('hugo').waitFor({ state: 'detached' });
    assert.deepEqual(
      visitor.errors().filter((error) => !/status of 400/.test(error)),
      [],
    );
  });

  it('is offered to administrators only', async () => {
    const { page } = visitor;
    await visitor.signIn('emma', '/clients', password);
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Audit log' }).waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Accounts' }).count(), 0);
    await visitor.goTo('/people/password/gwen');
    await page.getByText('Only administrators see the page of a person').waitFor();
  });
});
