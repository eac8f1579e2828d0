import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const password = 'correct horse';

describe('the page of accounts, for each action', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAccountServer()]);
    for (const username of ['emma', 'hugo']) await server.addAccount(username);
    await server.addAccount('finn', true);
    visitor = await consolePage(browser, server);
    await visitor.signIn('root', '/accounts', password);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

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
