import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { furnish } from './support/furnish.ts';

describe('a dialog', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server, { reducedMotion: 'no-preference' });
    await visitor.signIn(undefined, '/nowhere');
    const { orders } = await furnish(server, visitor.token());
    await visitor.goTo(`/resource-servers/${orders.id}?tab=danger`);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  it('closes by Escape, by its button and by a click beside it, and gives the focus back', async () => {
    const { page } = visitor;
    const opener = page.getByRole('button', { name: 'Rotate the secret' });
    const dialog = page.getByRole('dialog', { name: 'Give it a new secret' });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
    ]) {
      await opener.click();
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Rotate the secret');
    }
  });

  it('with a secret that is shown once closes by its button alone', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const secret = page.getByTestId('secret');
    await secret.waitFor();
    const shown = await secret.textContent();
    // A browser does not ask before it closes a dialog the second time.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.evaluate("document.querySelector('dialog').requestClose()");
    assert.equal(await secret.textContent(), shown);
    // The event "close", which shows the dialog again, comes after the script.
    await page.waitForFunction("document.querySelector('dialog').matches(':modal')");
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count(), 0);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await secret.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.errors(), []);
  });
});
