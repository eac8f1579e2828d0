import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

describe('the forms of OpenID Connect and of JWTs', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  let resourceServerId: number;
  before(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({ authenticator: 'noop-admin', 'signing.algorithms': 'RS256,ES256' }),
    ]);
    visitor = await consolePage(browser, server, { viewport: { width: 1280, height: 2600 } });
    await visitor.signIn(undefined, '/nowhere');
    const api = { contactName: 'Emma', name: 'API', scopes: ['read'] };
    ({ id: resourceServerId } = await visitor.admin().resourceServers.create(api));
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const openClient = async (clientName: string, fields: object = {}) => {
    const created = { clientName, contactName: 'Emma', expireDuration: 0, ...fields };
    const { id } = await visitor.admin().clients.create(resourceServerId, created);
    await visitor.goTo(`/resource-servers/${resourceServerId}/clients/${id}?tab=settings`);
    await visitor.page.getByRole('heading', { name: clientName, level: 1 }).waitFor();
    return async () => (await visitor.admin().clients.get({ resourceServerId, id })).record;
  };
  const save = async () => {
    await visitor.page.getByRole('button', { name: 'Save' }).click();
  };
  const saved = () => visitor.page.locator('.form-foot[data-dirty=false]').waitFor();

  it('are accessible on a phone', async () => {
    const { page } = visitor;
    await openClient('Portal', { redirectUris: ['https://portal.example/cb'] });
    await page.setViewportSize({ width: 390, height: 2600 });
    await visitor.assertAccessible();
    await visitor.screenshot('console-client-openid-phone');
    await page.setViewportSize({ width: 1280, height: 2600 });
  });

  it('offer the algorithms with which the server signs, and note that one of a client is not among them', async () => {
    const { page } = visitor;
    const idTokens = page.getByLabel('Signature of ID tokens');
    const offered = async () => (await idTokens.locator('option').allInnerTexts()).slice(1);
    const stored = await openClient('Signed', { redirectUris: ['https://portal.example/cb'] });
    assert.deepEqual(await offered(), ['RS256', 'ES256']);
    // As it is after the setting was changed: no request can choose it.
    await server.service.store.clients.update((await stored()).id, { idTokenSignedResponseAlg: 'EdDSA' });
    await page.reload();
    await page.getByText('This server does not sign with EdDSA any more').waitFor();
    assert.deepEqual(await offered(), ['RS256', 'ES256', 'EdDSA: not configured on this server']);
    await visitor.assertAccessible();
    await idTokens.selectOption('ES256');
    await save();
    await saved();
    assert.equal((await stored()).idTokenSignedResponseAlg, 'ES256');
    assert.deepEqual(await offered(), ['RS256', 'ES256']);
  });

  it('ask for a sector where pairwise subjects need one, and show why its document is refused', async () => {
    const { page } = visitor;
    const redirectUris = ['https://a.example/cb', 'https://b.example/cb'];
    const stored = await openClient('Sectors', { redirectUris });
    assert.equal(await page.getByLabel('Sector identifier URI').count(), 0);
    await page.getByLabel('Subject type').selectOption('pairwise');
    await save();
    await page.getByText('Sector identifier URI is required: the subject type is pairwise').waitFor();
    await page.getByLabel('Sector identifier URI').fill('https://localhost/uris.json');
    await save();
    await page.getByText('Sector identifier URI has a host without a public address.').waitFor();
    await visitor.screenshot('console-client-sector');
    assert.equal((await stored()).subjectType, 'public');
    await page.getByRole('button', { name: 'Discard' }).click();
  });
});
