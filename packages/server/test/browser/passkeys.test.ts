import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { virtualAuthenticator } from '@watchword/server-testkit/people/virtual-authenticator';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';

describe('a passkey, in a browser', () => {
  let server: AccountServer;
  let browser: TestBrowser;
  let origin: string;
  before(async () => {
    [server, browser] = await Promise.all([startAccountServer(), openBrowser()]);
    ({ origin } = new URL(server.service.baseUrl));
  });
  after(async () => {
    await browser[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it('is added on the account page, and logs in by the button', async () => {
    await using visitor = await watchedPage(browser, [origin]);
    const { page } = visitor;
    const authenticator = await virtualAuthenticator(page);
    await server.addAccount('emma');
    await page.goto(`${origin}/account`);
    await page.getByLabel('User name').fill('emma');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name by which you know it').fill('My laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Recovery codes of').waitFor();
    assert.equal((await authenticator.credentials()).length, 1);
    await page.context().clearCookies();
    // The browser offers no passkey by itself then, so that the button does.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(`${origin}/account`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('link', { name: 'Change Passkey My laptop' }).waitFor();
    assert.deepEqual(visitor.errors(), []);
  });
});
