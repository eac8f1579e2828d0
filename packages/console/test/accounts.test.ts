import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/account-server';
import { startAdministration } from '@watchword/server-testkit/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const password = 'correct horse';

describe('the page of accounts', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAccountServer()]);
    visitor = await consolePage(browser, server);
    await server.addAccount('emma');
    await server.addAccount('finn', true);
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
    await row('emma').waitFor();
    await visitor.screenshot('accounts');
    await page.getByLabel('Search accounts').fill('FIN');
    await row('emma').waitFor({ state: 'detached' });
    await row('finn').waitFor();
    await page.getByLabel('Search accounts').fill('');
    await page.getByLabel('Which ones').selectOption('Administrators');
    await row('emma').waitFor({ state: 'detached' });
    await page.getByLabel('Which ones').selectOption('All accounts');
    await row('emma').waitFor();
    await visitor.assertAccessible();
  });

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
    const edit = await act('emma', 'Edit…');
    await edit.getByLabel('Display name').fill('Emma the Second');
    await visitor.screenshot('accounts-edit');
    await edit.getByRole('button', { name: 'Save' }).click();
    await row('Emma the Second').waitFor();

    await server.browserOf('emma');
    const disable = await act('emma', 'Disable…');
    await disable.getByText('all logins of this user end').waitFor();
    await visitor.screenshot('accounts-disable');
    await disable.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('emma is disabled: 1 login and 0 grants ended').waitFor();
    await row('emma').getByText('disabled', { exact: true }).waitFor();
    await (await act('emma', 'Enable…')).getByRole('button', { name: 'Enable' }).click();
    await row('emma').getByText('active').waitFor();

    const reset = await act('emma', 'Reset the password…');
    await reset.getByRole('button', { name: 'Reset the password' }).click();
    await page.getByRole('dialog', { name: 'The password is reset' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await row('emma').getByText('no password yet').waitFor();

    const remove = await act('emma', 'Delete…');
    await remove.getByRole('textbox').fill('emma');
    await remove.getByRole('button', { name: 'Delete' }).click();
    await row('emma').waitFor({ state: 'detached' });
    assert.deepEqual(
      visitor.errors().filter((error) => !/status of 400/.test(error)),
      [],
    );
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

  it('is offered to administrators only, and only where users log in with local accounts', async () => {
    const assertOfferedNone = async ({ page }: ConsolePage) => {
      const menu = page.getByRole('navigation', { name: 'Pages' });
      await menu.getByRole('link', { name: 'Audit log' }).waitFor();
      assert.equal(await menu.getByRole('link', { name: 'Accounts' }).count(), 0);
    };
    await server.addAccount('plain');
    await visitor.signIn('plain', '/clients', password);
    await assertOfferedNone(visitor);
    await using elsewhere = await startAdministration();
    await using other = await consolePage(browser, elsewhere);
    await other.signIn('root', '/clients', JSON.stringify({ adminPrincipal: true }));
    await assertOfferedNone(other);
  });
});
