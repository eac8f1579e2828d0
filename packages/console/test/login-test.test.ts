import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';
import { type ConsolePage, consolePage } from './support/console-page.ts';

describe('the login test of a client', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  let resourceServerId: number;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server, { viewport: { width: 1280, height: 2000 } });
    await visitor.signIn(undefined, '/nowhere');
    const api = { contactName: 'Emma', name: 'API', scopes: ['read'] };
    ({ id: resourceServerId } = await visitor.admin().resourceServers.create(api));
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const redirectUri = () => `${server.service.baseUrl}/client/login-test.html`;
  const openClient = async (clientName: string, fields: object = {}) => {
    const { id, secret = '' } = await visitor.admin().clients.create(resourceServerId, {
      ...{ clientName, contactName: 'Emma', redirectUris: ['https://portal.example/cb'], expireDuration: 60 },
      ...{ openidScopes: ['profile', 'email'], skipConsent: true, ...fields },
    });
    await visitor.goTo(`/resource-servers/${resourceServerId}/clients/${id}?tab=login`);
    await visitor.page.getByRole('heading', { name: clientName, level: 1 }).waitFor();
    const stored = async () => (await visitor.admin().clients.get({ resourceServerId, id })).record;
    return { id, secret, stored };
  };
  const addAddress = () => visitor.page.getByRole('button', { name: 'Add the address' }).click();
  const logIn = async (): Promise<Page> => {
    const opened = visitor.page.context().waitForEvent('page');
    await visitor.page.getByRole('button', { name: 'Log in', exact: true }).click();
    return opened;
  };
  const section = (name: string) =>
    visitor.page.locator('.login-test-message', { has: visitor.page.getByRole('heading', { name }) });

  it('shows request, answer, ID token and claims of a real login, and leaves no token behind', async () => {
    const { page } = visitor;
    const { id, secret, stored } = await openClient('Portal', { useRefreshTokens: true });
    assert.equal(await page.getByRole('button', { name: 'Log in', exact: true }).count(), 0);
    await addAddress();
    await page.getByLabel('Secret of the client').fill(secret);
    await page.getByRole('checkbox', { name: 'email' }).uncheck();
    await logIn();
    await section('7. Userinfo').waitFor();
    assert.equal(await page.getByLabel('Secret of the client').inputValue(), '');
    assert.match((await section('1. The request').textContent()) ?? '', /scopeopenid profile/);
    assert.match((await section('2. The answer').textContent()) ?? '', /codereceived, and not shown/);
    assert.match(
      (await section('3. The tokens').textContent()) ?? '',
      /refresh_tokenreceived, and not shown/,
    );
    assert.match((await section('4. The header').textContent()) ?? '', /RS256/);
    assert.match((await section('5. The ID token').textContent()) ?? '', /audportal/);
    assert.equal(await section('6. The checks').locator('[data-holds=true]').count(), 4);
    assert.match((await section('7. Userinfo').textContent()) ?? '', /preferred_username/);
    await visitor.assertAccessible();
    await visitor.screenshot('console-login-test');
    const { width, height } = page.viewportSize() ?? assert.fail('the window has no size');
    await page.setViewportSize({ width: 390, height });
    await visitor.assertAccessible();
    await visitor.screenshot('console-login-test-phone');
    await page.setViewportSize({ width, height });
    const { items } = await visitor.admin().accessTokens.list({ clientId: (await stored()).clientId });
    assert.deepEqual(items, [], String(id));
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.ok(!kept.includes(secret));
  });

  it('adds its address to the redirect URIs, and removes it', async () => {
    const { page } = visitor;
    const { stored } = await openClient('Guest');
    await addAddress();
    await page.getByRole('button', { name: 'Remove the address' }).waitFor();
    assert.deepEqual((await stored()).redirectUris, ['https://portal.example/cb', redirectUri()]);
    await page.getByRole('button', { name: 'Remove the address' }).click();
    await page.getByRole('button', { name: 'Add the address' }).waitFor();
    assert.deepEqual((await stored()).redirectUris, ['https://portal.example/cb']);
  });

  it('tests a public client without a secret, and shows the error of a user who refuses', async () => {
    const { page } = visitor;
    await openClient('Browser app', { confidential: false, skipConsent: false });
    await addAddress();
    assert.equal(await page.getByLabel('Secret of the client').count(), 0);
    const refused = await logIn();
    await refused.locator('[name="decision"][value="deny"]').click();
    await page.getByText('The server sends the browser back with an error.').waitFor();
    assert.match((await section('2. The answer').textContent()) ?? '', /access_denied/);
    const allowed = await logIn();
    await allowed.locator('[name="decision"][value="allow"]').click();
    await section('7. Userinfo').waitFor();
  });

  it('shows why the token endpoint refuses the code', async () => {
    const { page } = visitor;
    await openClient('Wrong');
    await addAddress();
    await page.getByLabel('Secret of the client').fill('wrong');
    await logIn();
    await page.getByText('The token endpoint has refused the code.').waitFor();
    assert.match((await section('3. The tokens').textContent()) ?? '', /invalid_client/);
  });

  it('does not change the sector of a client with pairwise subjects', async () => {
    await openClient('Pairwise', { subjectType: 'pairwise' });
    await visitor.page.getByText('A client with pairwise subjects cannot be tested here').waitFor();
    assert.equal(await visitor.page.getByRole('button', { name: 'Add the address' }).count(), 0);
  });

  it('gives the answer of another request to no window, and keeps it nowhere', async () => {
    const page = await visitor.page.context().newPage();
    await page.goto(`${redirectUri()}?code=stolen&state=made-up`);
    await page.getByText('You can close this window').waitFor();
    assert.equal(page.url(), redirectUri());
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
    await page.close();
  });
});
