import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lastMail } from '@watchword/server-testkit/neighbours/mailbox';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import { type AccountUsers, accountUsers } from '@watchword/server-testkit/servers/account-server';
import { engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';

const password = 'correct horse battery';
const chosen = 'a long text for a door';

const kinds: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['screen', {}],
  ['phone', { viewport: { width: 320, height: 640 } }],
  ['italian', { locale: 'it' }],
  ['no-script', { javaScriptEnabled: false }],
];

describe('the pages with which people see to their accounts, with the keyboard on each kind of screen', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let users: AccountUsers;
  before(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({ authenticator: 'password', registration: 'open' }, engine, false, true),
    ]);
    users = await accountUsers(server);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const open = (options: BrowserContextOptions) =>
    watchedPage(browser, [new URL(server.service.baseUrl).origin], options);
  /** axe is a script. */
  const seeing =
    ({ look, page }: WatchedPage, kind: string, { javaScriptEnabled = true }: BrowserContextOptions) =>
    async (name: string) => {
      if (!javaScriptEnabled) return;
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, name);
      await look(`${name}-${kind}`);
    };

  for (const [kind, options] of kinds) {
    it(`let a person whom an application sends make an account (${kind})`, async () => {
      const email = `sign-up-${kind}@example.org`;
      const { baseUrl } = server.service;
      await using visitor = await open(options);
      const { page } = visitor;
      const see = seeing(visitor, kind, options);
      const query = 'response_type=code&client_id=demo-app&prompt=create';
      await page.goto(`${baseUrl}/authorize?${query}`);
      await see('sign-up');
      await page.keyboard.type('nobody');
      await page.keyboard.press('Enter');
      await page.locator('.message').waitFor();
      await see('sign-up-refused');
      await page.locator('input[name=email]').fill(email);
      await page.keyboard.press('Enter');
      await page.locator('input[name=code]').waitFor();
      await see('sign-up-sent');
      await page.goto(`${baseUrl}${(await lastMail(server, 'confirm_address', email)).values.path}`);
      await see('sign-up-account');
      await page.locator('input[name=username]').fill(`new-${kind}`);
      await page.locator('input[name=new_password]').fill(chosen);
      await page.locator('input[name=new_password_again]').fill(chosen);
      await page.keyboard.press('Enter');
      const goOn = page.locator('form[action="/again"] button');
      await goOn.waitFor();
      await see('sign-up-made');
      await goOn.press('Enter');
      await page.locator('input[name=password]').waitFor();
      assert.deepEqual(
        visitor.errors().filter((error) => !/status of 400/.test(error)),
        [],
      );
    });

    it(`let a person download what is stored, and delete the account (${kind})`, async () => {
      const username = `leaving-${kind}`;
      await users.addAccount(username);
      await using visitor = await open(options);
      const { page } = visitor;
      const see = seeing(visitor, kind, options);
      await page.goto(`${server.service.baseUrl}/account`);
      await page.locator('input[name=username]').fill(username);
      await page.locator('input[name=password]').fill(password);
      await page.keyboard.press('Enter');
      const download = page.waitForEvent('download');
      await page.locator('a[href="/account/data"]').press('Enter');
      assert.match((await download).suggestedFilename(), /\.json$/);
      await see('account-own');
      await page.locator('a[href="/account/delete"]').press('Enter');
      await page.locator('input[name=password]').fill('a wrong one');
      await page.keyboard.press('Enter');
      await page.locator('.message').waitFor();
      await see('deletion-refused');
      await page.locator('input[name=password]').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('.page-deleted').waitFor();
      await see('deleted');
      assert.equal(await server.service.store.accounts.find(username), undefined);
      assert.deepEqual(
        visitor.errors().filter((error) => !/status of 403/.test(error)),
        [],
      );
    });
  }
});
