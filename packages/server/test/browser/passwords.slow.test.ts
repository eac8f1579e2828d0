import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lastMail } from '@watchword/server-testkit/neighbours/mailbox';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import {
  type AccountServer,
  type AccountUsers,
  accountsPath,
  accountUsers,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { buildAccount } from '@watchword/testkit';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';

const password = 'correct horse battery';
const chosen = 'a new and long one';

const looks: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['screen', {}],
  ['phone', { viewport: { width: 360, height: 740 } }],
];

const kinds: typeof looks = [
  ...looks,
  ['german', { locale: 'de' }],
  ['no-script', { javaScriptEnabled: false }],
];

const claims = {
  email: 'a-rather-long-address-of-a-person@mail.department.example.org',
  emailVerified: true,
  phoneNumber: '+31 6 12345678',
  locale: 'nl-NL',
  address: { streetAddress: 'Dam 1', postalCode: '1012 JS', locality: 'Amsterdam', country: 'NL' },
};

describe('the pages on which users set passwords, on each kind of screen', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAccountServer()]);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  for (const [look, options] of looks) {
    it(`can be used with keyboard and screen reader (${look})`, async () => {
      const root = await server.logIn('root');
      const username = `user-${look}`;
      const { resetLink } = await root.create(accountsPath, { username, ...claims });
      const { origin } = new URL(server.service.baseUrl);
      await using visitor = await watchedPage(browser, [origin], options);
      const { page } = visitor;
      const see = (name: string) => visitor.look(`${name}-${look}`);
      await page.goto(resetLink);
      await see('set-password');
      await page.getByLabel('New password', { exact: true }).fill(chosen);
      await page.getByLabel('New password once more').fill(chosen);
      await page.keyboard.press('Enter');
      await page.getByText('Your password is saved').waitFor();
      await see('password-set');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByLabel('User name').fill(username);
      await page.getByLabel('Password').fill(chosen);
      await page.keyboard.press('Enter');
      await page.getByText('+31 6 12345678 (not verified)').waitFor();
      await see('account-claims');
      await page.getByRole('link', { name: 'Change password' }).click();
      await page.getByLabel('Current password').fill('wrong password');
      await page.getByLabel('New password', { exact: true }).fill(password);
      await page.getByLabel('New password once more').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText('not your current password').waitFor();
      await see('change-password');
      await page.getByLabel('Current password').fill(chosen);
      await page.getByLabel('New password', { exact: true }).fill(password);
      await page.getByLabel('New password once more').fill(password);
      await page.getByRole('button', { name: 'Save password' }).click();
      await page.getByText('Your password is changed').waitFor();
      await see('account-password');
      await page.goto(resetLink);
      await page.getByText('This link no longer works').waitFor();
      const expected = /status of 40[03]/;
      assert.deepEqual(
        visitor.errors().filter((error) => !expected.test(error)),
        [],
      );
    });
  }
});

describe('the pages of a forgotten password, on each kind of screen', () => {
  let browser: TestBrowser;
  let server: TestServer;
  before(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({ authenticator: 'password' }, engine, false, true),
    ]);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  for (const [look, options] of kinds) {
    it(`can be used with keyboard and screen reader (${look})`, async () => {
      const username = `forgotten-${look}`;
      const email = `${username}@example.org`;
      await server.service.store.accounts.create(buildAccount({ username, email }));
      await using visitor = await watchedPage(browser, [new URL(server.baseUrl).origin], options);
      const { page } = visitor;
      // axe is a script.
      const see = async (name: string) => {
        if (options.javaScriptEnabled !== false) await visitor.look(`${name}-${look}`);
      };
      await page.goto(`${server.baseUrl}/authorize?response_type=code&client_id=demo-app`);
      await see('login-forgotten');
      await page.locator('button[name=from]').press('Enter');
      await page.locator('input[name=identifier]').waitFor();
      await see('forgotten');
      await page.locator('input[name=identifier]').fill(email);
      await page.keyboard.press('Enter');
      const code = page.locator('input[name=code]');
      await code.waitFor();
      await see('forgotten-sent');
      await code.fill((await lastMail(server, 'reset_password', email)).values.code ?? '');
      await page.keyboard.press('Enter');
      await page.locator('input[name=new_password]').fill(chosen);
      await page.locator('input[name=new_password_again]').fill(chosen);
      await page.keyboard.press('Enter');
      const goOn = page.locator('form[action="/again"] button');
      await goOn.waitFor();
      await see('forgotten-saved');
      await goOn.press('Enter');
      await page.locator('input[name=username]').waitFor();
      assert.deepEqual(visitor.errors(), []);
    });
  }
});

describe('the pages of a changed address, on each kind of screen', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let users: AccountUsers;
  before(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({ authenticator: 'password' }, engine, false, true),
    ]);
    users = await accountUsers(server);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  for (const [look, options] of kinds) {
    it(`can be used with keyboard and screen reader (${look})`, async () => {
      const username = `address-${look}`;
      const changed = `${username}@new.example`;
      const { baseUrl } = server.service;
      await users.addAccount(username);
      await using visitor = await watchedPage(browser, [new URL(baseUrl).origin], options);
      const { page } = visitor;
      // axe is a script.
      const see = async (name: string) => {
        if (options.javaScriptEnabled !== false) await visitor.look(`${name}-${look}`);
      };
      await page.goto(`${baseUrl}/account`);
      await page.locator('input[name=username]').fill(username);
      await page.locator('input[name=password]').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('a[href="/account/address"]').press('Enter');
      await page.locator('input[name=address]').fill(changed);
      await see('address');
      await page.locator('input[name=password]').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('input[name=code]').waitFor();
      await see('address-sent');
      await page.goto(`${baseUrl}${(await lastMail(server, 'confirm_address', changed)).values.path}`);
      const confirm = page.locator('button[value=confirm]');
      await confirm.waitFor();
      await see('address-confirm');
      await confirm.press('Enter');
      await page.locator('.message-done').waitFor();
      await see('address-changed');
      assert.ok(await page.getByText(changed).isVisible());
      assert.deepEqual(visitor.errors(), []);
    });
  }
});
