import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ConsolePage, consolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

const password = 'correct horse battery';

describe('the page of accounts, for each action', () => {
  let gui: OpenConsole<AccountServer>;
  let server: AccountServer;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openConsole(startAccountServer());
    ({ server, visitor } = gui);
    for (const username of ['emma', 'hugo']) await server.addAccount(username);
    await server.addAccount('finn', true);
    await visitor.signIn('root', '/accounts', password);
  });
  after(() => gui[Symbol.asyncDispose]());

  const row = (name: string) => visitor.page.getByRole('row', { name });
  const act = async (username: string, label: string) => {
    await visitor.page.getByRole('button', { name: `Actions for ${username}` }).click();
    await visitor.page.getByRole('menuitem', { name: label }).click();
    return visitor.page.getByRole('dialog');
  };

  it('lists and searches accounts, and invites nobody where administrators alone make them', async () => {
    const { page } = visitor;
    await row('hugo').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Invite a person' }).count(), 0);
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

  it('shows when users last logged in, and below the table what is the same in every row', async () => {
    const { page } = visitor;
    await server.logIn('emma');
    await page.reload();
    await row('emma').getByText('ago').first().waitFor();
    await row('hugo').getByText('not in the last month').waitFor();
    await page.getByText('Groups: staff').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Groups' }).count(), 0);
  });

  it('keeps the columns that the user chose in this browser', async () => {
    const { page } = visitor;
    const header = (name: string) => page.getByRole('columnheader', { name });
    await page.getByRole('button', { name: 'Columns' }).click();
    await visitor.assertAccessible();
    await page.getByRole('checkbox', { name: 'Groups' }).check();
    await page.getByRole('checkbox', { name: 'Created' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Created' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Columns');
    await page.reload();
    await header('Groups').waitFor();
    assert.equal(await header('Created').count(), 0);
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    await page.getByRole('button', { name: 'Suggested columns' }).click();
    await header('Created').waitFor();
    assert.equal(await header('Groups').count(), 0);
    await page.keyboard.press('Escape');
  });

  it('has filters and searches in the address, and the back button ends one at a time', async () => {
    const { page } = visitor;
    const which = page.getByLabel('Which ones');
    await which.selectOption('Administrators');
    await row('hugo').waitFor({ state: 'detached' });
    await page.getByLabel('Search accounts').fill('fi');
    await row('root').waitFor({ state: 'detached' });
    await page.getByLabel('Search accounts').fill('fin');
    await page.waitForURL(/q=fin$/);
    await page.goBack();
    await row('root').waitFor();
    assert.equal(await which.inputValue(), 'admin');
    await page.goBack();
    await row('hugo').waitFor();
    assert.equal(await which.inputValue(), '');
  });

  it('does something with all chosen rows after one question, and tells what became of each', async () => {
    const { page } = visitor;
    const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
    const dialog = page.getByRole('dialog');
    await server.addAccount('ivan');
    await page.reload();
    await box('emma').press('Space');
    await box('hugo').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'With the selected rows' });
    await bar.getByText('3 accounts selected').waitFor();
    await visitor.look('accounts-selected');
    await bar.getByRole('button', { name: 'Select all: 5 accounts' }).click();
    for (const username of ['emma', 'finn', 'root']) await box(username).press('Space');
    await bar.getByRole('button', { name: 'Disable…' }).click();
    await page.getByRole('dialog', { name: 'Disable 2 accounts?' }).waitFor();
    await dialog.getByText('all logins of this user end').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'hugo' }).waitFor();
    const { items } = await visitor.admin().accounts.list({ username: 'ivan' });
    await visitor.admin().accounts.delete(items[0]?.id ?? assert.fail());
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await dialog.getByText('1 done, 1 not done').waitFor();
    const outcomes = dialog.getByRole('list', { name: 'The selected rows' }).getByRole('listitem');
    assert.match(await outcomes.nth(0).innerText(), /^ivan\s+It is not there any more/);
    assert.match(await outcomes.nth(1).innerText(), /^hugo\s+done$/);
    await visitor.assertAccessible();
    await visitor.look('accounts-outcomes');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await row('hugo').getByText('disabled', { exact: true }).waitFor();
    await bar.waitFor({ state: 'detached' });
    await box('hugo').check();
    await bar.getByRole('button', { name: 'Enable…' }).click();
    await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
    await dialog.getByText('1 done, 0 not done').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await row('hugo').getByText('active').waitFor();
  });

  it('asks for the number before several are deleted', async () => {
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    for (const username of ['jana', 'karl']) await server.addAccount(username);
    await page.reload();
    for (const username of ['jana', 'karl']) await page.getByLabel(`Select ${username}`).check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
    assert.ok(await confirm.isDisabled());
    await dialog.getByRole('textbox').fill('2');
    await confirm.click();
    await dialog.getByText('2 done, 0 not done').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await row('jana').waitFor({ state: 'detached' });
    await row('karl').waitFor({ state: 'detached' });
  });

  it('does something with the own account last, because the session ends with it', async () => {
    await server.addAccount('anna', true);
    await server.addAccount('zoe');
    await using own = await consolePage(gui.browser, server);
    await own.signIn('anna', '/accounts', password);
    const { page } = own;
    for (const username of ['anna', 'zoe']) await page.getByLabel(`Select ${username}`).check();
    await page.getByRole('button', { name: 'Disable…' }).click();
    const dialog = page.getByRole('dialog');
    const names = dialog.getByRole('list', { name: 'The selected rows' }).getByRole('listitem');
    await names.first().waitFor();
    assert.deepEqual(await names.allInnerTexts(), ['zoe', 'anna']);
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('dialog', { name: 'Sign in again to continue' }).waitFor();
    const { items } = await visitor.admin().accounts.list({ disabled: true });
    assert.deepEqual(items.map(({ username }) => username).toSorted(), ['anna', 'zoe']);
    for (const { id } of items) await visitor.admin().accounts.delete(id);
    await visitor.page.reload();
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
      visitor.errors().filter((error) => !/status of 40[04]/.test(error)),
      [],
    );
  });

  it('makes one whose link asks for a passkey, and for no password', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create an account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill('pia');
    await dialog.getByLabel('Passkey in place of a password').check();
    await visitor.screenshot('accounts-passkey');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'The account is created' });
    const { pathname, search } = new URL(await shown.getByTestId('secret').innerText());
    const { html } = await new UserAgent().get(`${server.baseUrl}${pathname}${search}`);
    assert.match(html, /data-options/);
    assert.doesNotMatch(html, /type="password"/);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    const [made] = (await visitor.admin().accounts.list({ username: 'pia' })).items;
    await visitor.admin().accounts.delete(made?.id ?? '');
    await visitor.page.reload();
  });

  it('sets the claims of an account, folds those that few accounts have, and says in words what is wrong', async () => {
    const { page } = visitor;
    const edit = await act('emma', 'Edit…');
    const email = edit.getByLabel('E-mail address', { exact: true });
    const isVerified = edit.getByLabel('The e-mail address is verified');
    assert.ok(await isVerified.isDisabled());
    assert.ok(!(await edit.getByLabel('Given name').isVisible()));
    await visitor.screenshot('accounts-edit-folded');
    await email.fill('emma');
    await isVerified.check();
    await email.fill('emma@');
    assert.ok(!(await isVerified.isChecked()));
    await isVerified.check();
    await edit.getByText('More about this person').click();
    await edit.getByLabel('Given name').fill('Emma');
    await edit.getByLabel('Phone number', { exact: true }).fill('06 12345678');
    await edit.getByLabel('Language').fill('nl_NL');
    await edit.getByLabel('Time zone').fill('Amsterdam');
    await edit.getByLabel('Picture').fill('http://pictures.example/e.png');
    await edit.getByText('More about this person').click();
    await edit.getByRole('button', { name: 'Save' }).click();
    for (const problem of [
      'E-mail address is not an e-mail address.',
      'Phone number is not a number with + and the country code, such as +31 6 12345678.',
      'Language is not a language tag such as nl or de-AT.',
      'Time zone is not a time zone such as Europe/Amsterdam.',
      'Picture is not an https URL.',
    ]) {
      await edit.getByText(problem).waitFor();
    }
    await visitor.assertAccessible();
    await email.fill('emma@example.org');
    await isVerified.check();
    await edit.getByLabel('Phone number', { exact: true }).fill(' +31 6 12345678 ');
    await edit.getByLabel('Language').fill('nl-NL');
    await edit.getByLabel('Time zone').fill('Europe/Amsterdam');
    await edit.getByLabel('Picture').fill('https://pictures.example/e.png');
    await edit.getByLabel('Street and number').fill('Dam 1');
    await edit.getByLabel('Country').fill('NL');
    await visitor.screenshot('accounts-edit-claims');
    await edit.getByRole('button', { name: 'Save' }).click();
    await row('emma@example.org').waitFor();
    const stored = (await visitor.admin().accounts.list({ username: 'emma' })).items[0];
    assert.deepEqual(
      [stored?.email, stored?.emailVerified, stored?.givenName, stored?.phoneNumber, stored?.address],
      ['emma@example.org', true, 'Emma', '+31 6 12345678', { streetAddress: 'Dam 1', country: 'NL' }],
    );

    await page.getByLabel('Search accounts').fill('EMMA@example');
    await row('finn').waitFor({ state: 'detached' });
    await page.getByLabel('Search accounts').fill('');
    await row('finn').waitFor();

    await visitor.goTo('/people/password/emma');
    await page.getByText('Dam 1, NL').waitFor();
    await page.getByText('+31 6 12345678 (not verified)').waitFor();
    await visitor.screenshot('person-claims');
    await visitor.assertAccessible();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const again = page.getByRole('dialog');
    assert.equal(await again.getByLabel('Given name').inputValue(), 'Emma');
    await again.getByLabel('Country').fill('');
    await again.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Dam 1', { exact: true }).waitFor();
    await visitor.goTo('/accounts');
    await row('emma@example.org').waitFor();
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
