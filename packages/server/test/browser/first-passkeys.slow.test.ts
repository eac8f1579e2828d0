import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clientSite } from '@watchword/server-testkit/clients/client-site';
import { virtualAuthenticator } from '@watchword/server-testkit/people/virtual-authenticator';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { registerOpenidClient } from '../support/openid-client.ts';

describe('the passkey of a login or a new account, in a browser', () => {
  let server: AccountServer;
  let browser: TestBrowser;
  let origin: string;
  before(async () => {
    [server, browser] = await Promise.all([
      startAccountServer({ registration: 'invitation' }),
      openBrowser(),
    ]);
    ({ origin } = new URL(server.service.baseUrl));
  });
  after(async () => {
    await browser[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it('is added in the middle of a login whose client demands one', async () => {
    await using site = await clientSite();
    const client = { redirectUris: [site.callback], loginLevel: 'phr', skipConsent: true } as const;
    const app = await registerOpenidClient(server, client);
    await using visitor = await watchedPage(browser, [origin, site.origin]);
    const { page } = visitor;
    const authenticator = await virtualAuthenticator(page);
    await server.addAccount('finn');
    const { pathname, search } = new URL(app.authorizeUrl({ scope: 'openid', nonce: 'n' }));
    await page.goto(`${origin}${pathname}${search}`);
    await page.getByLabel('User name').fill('finn');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await visitor.send(page.getByRole('button', { name: 'I have kept them' }));
    assert.equal((await authenticator.credentials()).length, 1);
    await page.waitForURL(/[?&]code=/);
    assert.deepEqual(visitor.errors(), []);
  });

  it('makes the account of an invited person, who never has a password', async () => {
    await using visitor = await watchedPage(browser, [origin]);
    const { page } = visitor;
    const authenticator = await virtualAuthenticator(page);
    const root = await server.logIn('root');
    const { link } = await root.create('/admin/invitation', { passkey: true });
    await page.goto(link);
    await page.getByLabel('User name').fill('gina');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account is made' }).waitFor();
    assert.equal((await authenticator.credentials()).length, 1);
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('link', { name: /Change Passkey/ }).waitFor();
    assert.deepEqual(visitor.errors(), []);
  });
});
