import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { virtualAuthenticator } from '@watchword/server-testkit/people/virtual-authenticator';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions, Page } from 'playwright-core';

const password = 'correct horse battery';

/** Texts that are not there are in English, also where the page goes from right to left. */
const kinds: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['screen', {}],
  ['phone', { viewport: { width: 320, height: 640 } }],
  ['right-to-left', { locale: 'ar', viewport: { width: 320, height: 640 } }],
];

describe('passkeys, with the keyboard alone', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    await writeFile(directory.file('ar.json'), JSON.stringify({ 'login.title': 'تسجيل الدخول' }));
    const settings = { 'pages.locales': directory.path, 'factors.trustDays': '30' };
    [browser, server] = await Promise.all([openBrowser(), startAccountServer(settings)]);
  });
  after(async () => {
    await Promise.all([browser, server, directory].map((each) => each[Symbol.asyncDispose]()));
  });

  const url = (path: string) => `${server.service.baseUrl}${path}`;
  const open = (options: BrowserContextOptions = {}) =>
    watchedPage(browser, [new URL(server.service.baseUrl).origin], options);

  const logIn = async (page: Page, username: string) => {
    await page.goto(url('/account'));
    await tabTo(page, 'input[name=username]');
    await page.keyboard.type(username);
    await tabTo(page, 'input[name=password]');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
  };
  const logOut = async ({ page, send }: WatchedPage) => {
    await page.goto(url('/logout'));
    await send(page.getByRole('button', { name: 'Sign out' }));
  };
  const isIn = (page: Page) => page.locator('a[href="/account/passkey"]').waitFor();
  const fits = async ({ page, look }: WatchedPage, name: string) => {
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, name);
    await look(name);
  };

  for (const [kind, options] of kinds) {
    it(`are added, and log in by the button and in the field of the name (${kind})`, async () => {
      const username = `key-${kind}`;
      await server.addAccount(username);
      await using visitor = await open(options);
      const { page } = visitor;
      const device = await virtualAuthenticator(page);
      const see = (name: string) => fits(visitor, `${name}-${kind}`);
      await logIn(page, username);
      await tabTo(page, 'a[href="/account/passkey"]');
      await page.keyboard.press('Enter');
      await tabTo(page, 'input[name=name]');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('My key');
      await page.keyboard.press('Enter');
      await page.locator('code').first().waitFor();
      await see('passkey-added');
      await logOut(visitor);

      // The browser waits for a choice in the field, and then the button asks in its place.
      await device.set({ isPresent: false });
      await page.goto(url('/account'));
      await tabTo(page, 'button[value=passkey]');
      await see('passkey-login');
      await device.set({ isPresent: true });
      await page.keyboard.press('Enter');
      await isIn(page);
      await see('passkey-account');
      await logOut(visitor);

      await page.goto(url('/account'));
      await isIn(page);
      assert.deepEqual(visitor.errors(), []);
    });

    it(`say that they were not used, and leave the password and a code (${kind})`, async () => {
      const username = `code-${kind}`;
      await server.addAccount(username);
      await using visitor = await open(options);
      const { page } = visitor;
      const device = await virtualAuthenticator(page);
      await device.set({ isPresent: false });
      await logIn(page, username);
      await tabTo(page, 'a[href="/account/totp"]');
      await page.keyboard.press('Enter');
      await page.locator('.qr').waitFor();
      const app = AuthenticatorApp.of({ html: await page.content() });
      await fits(visitor, `totp-${kind}`);
      await tabTo(page, 'input[name=code]');
      await page.keyboard.type(app.code());
      await page.keyboard.press('Enter');
      await page.locator('code').first().waitFor();
      await logOut(visitor);
      await page.goto(url('/account'));
      // This device has none, so that it answers at once.
      await device.set({ isPresent: true });
      await tabTo(page, 'button[value=passkey]');
      await page.keyboard.press('Enter');
      await page.locator('.passkey-status', { hasText: /./ }).waitFor();
      await fits(visitor, `passkey-not-used-${kind}`);
      await logIn(page, username);
      await page.locator('input[name=code]').waitFor();
      await fits(visitor, `second-factor-${kind}`);
      await tabTo(page, 'input[name=trust]');
      await page.keyboard.press('Space');
      await page.locator('input[name=code]').focus();
      await page.keyboard.type(app.code(1));
      await page.keyboard.press('Enter');
      await isIn(page);
      assert.deepEqual(visitor.errors(), []);
    });
  }

  it('are explained where no script runs, and a password with a code logs in', async () => {
    await server.addAccount('plain');
    await using visitor = await open({ javaScriptEnabled: false });
    const { page } = visitor;
    await logIn(page, 'plain');
    await isIn(page);
    await page.goto(url('/account/passkey'));
    await tabTo(page, 'button[value=passkey]');
    await page.keyboard.press('Enter');
    await page.getByText('needs a browser that runs scripts').waitFor();
    await page.goto(url('/account/totp'));
    const app = AuthenticatorApp.of({ html: await page.content() });
    await page.locator('input[name=code]').fill(app.code());
    await page.keyboard.press('Enter');
    await page.locator('code').first().waitFor();
    await visitor.screenshot('recovery-codes-no-script');
    await logOut(visitor);
    await page.goto(url('/account'));
    await tabTo(page, 'button[value=passkey]');
    await page.keyboard.press('Enter');
    await page.getByText('needs a browser that runs scripts').waitFor();
    await visitor.screenshot('passkey-no-script');
    await logIn(page, 'plain');
    await page.locator('input[name=code]').fill(app.code(1));
    await page.keyboard.press('Enter');
    await isIn(page);
    const errors = visitor.errors().filter((error) => !/status of 40[03]/.test(error));
    assert.deepEqual(errors, []);
  });
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`expected the keyboard to reach ${selector} at ${page.url()}`);
}
