import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import type { Page } from 'playwright-core';
import { addressOf, type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { signInAgain } from '../support/interrupted.ts';

const password = 'correct horse battery';

describe('the administration GUI after a logout in another tab of the browser', () => {
  let gui: OpenConsole<AccountServer>;
  let server: AccountServer;
  let visitor: ConsolePage;
  let other: Page;
  before(async () => {
    gui = await openConsole(startAccountServer());
    ({ server, visitor } = gui);
  });
  after(() => gui[Symbol.asyncDispose]());
  beforeEach(async () => {
    await visitor.signIn('root', '/resource-servers/new', password);
    other = await visitor.page.context().newPage();
    await other.goto(addressOf(server));
    await other.locator('.signed-in').waitFor();
  });

  const dialog = () => visitor.page.getByRole('dialog', { name: 'Sign in again to continue' });
  const logOut = async () => {
    await other.getByRole('link', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
  };

  it('says so at once, shows nothing any more, and continues with what was typed after another login', async () => {
    const { page } = visitor;
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Typed before');
    await logOut();
    await dialog().getByText('You were signed out').waitFor();
    const covered = await page.evaluate(
      "getComputedStyle(document.querySelector('dialog'), '::backdrop').backgroundColor",
    );
    assert.match(String(covered), /^rgb\(/);
    await visitor.assertAccessible();
    await visitor.screenshot('signed-out-elsewhere');
    const headers = { authorization: `Bearer ${visitor.token()}` };
    assert.equal((await server.get('/admin/resourceServer', headers)).status, 401);
    const popup = await signInAgain(page);
    await popup.locator('[name="username"]').fill('root');
    await popup.locator('[name="password"]').fill(password);
    await popup.locator('[name="password"]').press('Enter');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(await name.inputValue(), 'Typed before');
    await other.close();
  });

  it('asks the server when Back shows the page as it was before', async () => {
    const { page } = visitor;
    const root = await server.logIn('root');
    const { json } = await root.get('/admin/loginSession');
    // The own session is the newest, and the last to end.
    for (const { id } of json.toReversed()) await root.call('DELETE', `/admin/loginSession/${id}`);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await dialog().getByText('You were signed out').waitFor();
    await other.close();
  });
});
