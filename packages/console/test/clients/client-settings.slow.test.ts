import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applyConfiguration, driftFromConfiguration } from '@watchword/server-testkit/clients/managed-client';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { ClientKey } from '@watchword/testkit/client-key';
import { type ConsolePage, consolePage } from '../support/console-page.ts';

const flags = {
  authenticator: 'noop-admin',
  'signing.algorithms': 'RS256,ES256',
  'implicit.lifetime': '5400',
};

let browser: TestBrowser;
let server: TestServer;
let visitor: ConsolePage;
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServer(flags)]);
  visitor = await consolePage(browser, server, { viewport: { width: 1280, height: 2600 } });
  await visitor.signIn(undefined, '/nowhere');
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

describe('the forms of OpenID Connect and of JWTs', () => {
  let resourceServerId: number;
  before(async () => {
    const api = { contactName: 'Emma', name: 'Portal API', scopes: ['read'] };
    ({ id: resourceServerId } = await visitor.admin().resourceServers.create(api));
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

  it('offer a client the login of users once it has a redirect URI', async () => {
    const { page } = visitor;
    const stored = await openClient('Portal', { jwksUri: 'https://portal.example/keys' });
    await page.getByText('A client that logs users in needs a redirect URI.').waitFor();
    assert.equal(await page.getByLabel('Subject type').count(), 0);
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://portal.example/cb');
    await page.getByRole('checkbox', { name: 'email' }).check();
    await page.getByRole('checkbox', { name: 'profile' }).check();
    await page.getByRole('checkbox', { name: 'groups' }).check();
    assert.equal(await page.getByRole('checkbox', { name: 'offline_access' }).count(), 0);
    await page.getByRole('switch', { name: 'Claims in ID tokens' }).check();
    await page.getByLabel('Post-logout redirect URIs').fill('https://portal.example/bye');
    await page.getByLabel('Back-channel logout URI').fill('https://portal.example/logout');
    await page.getByRole('switch', { name: 'Back-channel logout names the session' }).check();
    await page.getByLabel('Signature of ID tokens').selectOption('RS256');
    await page.getByRole('switch', { name: 'Only pushed authorization requests' }).check();
    await page.getByRole('switch', { name: 'Only signed authorization requests' }).check();
    await page.getByLabel('Signature of request objects').selectOption('ES256');
    await page.getByLabel('Request URIs').fill('https://portal.example/request');
    await visitor.assertAccessible();
    await visitor.screenshot('console-client-openid');
    await save();
    await saved();
    const client = await stored();
    assert.deepEqual(client.openidScopes, ['profile', 'email', 'groups']);
    assert.ok(client.claimsInIdToken);
    assert.deepEqual(client.postLogoutRedirectUris, ['https://portal.example/bye']);
    assert.ok(client.backchannelLogoutSessionRequired);
    assert.ok(client.requirePushedAuthorizationRequests && client.requireSignedRequestObject);
    assert.equal(client.requestObjectSigningAlg, 'ES256');
    assert.deepEqual(client.requestUris, ['https://portal.example/request']);
    assert.equal(client.idTokenSignedResponseAlg, 'RS256');
  });

  it('take the keys of a client in place of its secret, and say what is wrong with them', async () => {
    const { page } = visitor;
    const stored = await openClient('Keys', { allowedClientCredentials: true });
    const { jwk } = await ClientKey.create('ES256', 'first');
    await page.getByLabel('Authentication').selectOption('private_key_jwt');
    await save();
    await page.getByText('Public keys are required').first().waitFor();
    const keys = page.getByLabel('Public keys', { exact: true });
    await keys.fill('{ "keys": ');
    await save();
    await page.getByText('Public keys must be a JSON Web Key Set').waitFor();
    await visitor.screenshot('console-client-keys-wrong');
    await keys.fill(JSON.stringify({ keys: [{ ...jwk, crv: 'P-1' }] }));
    await save();
    await page
      .getByText(/Public keys .*(crv|curve|P-1|key)/)
      .first()
      .waitFor();
    await visitor.screenshot('console-client-keys-refused');
    await keys.fill(JSON.stringify({ keys: [jwk] }));
    await visitor.assertAccessible();
    await save();
    await saved();
    await visitor.screenshot('console-client-keys');
    const client = await stored();
    assert.deepEqual([client.tokenEndpointAuthMethod, client.jwks], ['private_key_jwt', { keys: [jwk] }]);
  });

  it('ask for the keys of a client with a secret once it must sign its requests', async () => {
    const { page } = visitor;
    const stored = await openClient('Signer', { redirectUris: ['https://portal.example/cb'] });
    assert.equal(await page.getByLabel('URL of public keys').count(), 0);
    await page.getByRole('switch', { name: 'Only signed authorization requests' }).check();
    await page.getByLabel('URL of public keys').fill('https://portal.example/keys');
    await visitor.screenshot('console-client-signer');
    await save();
    await saved();
    const client = await stored();
    assert.deepEqual(
      [client.tokenEndpointAuthMethod, client.jwksUri, client.requireSignedRequestObject],
      ['', 'https://portal.example/keys', true],
    );
  });

  it('take the issuers of assertions in place of a secret', async () => {
    const { page } = visitor;
    const stored = await openClient('Workload', { allowedClientCredentials: true });
    const issuer = {
      issuer: 'https://kubernetes.example',
      audience: 'watchword',
      subject: 'system:serviceaccount:orders:*',
      jwksUri: 'https://kubernetes.example/jwks',
    };
    await page.getByLabel('Authentication').selectOption('assertion_issuer');
    await page.getByLabel('Issuers of its assertions').fill(JSON.stringify([issuer]));
    await visitor.assertAccessible();
    await visitor.screenshot('console-client-issuers');
    await save();
    await saved();
    assert.equal((await stored()).assertionIssuers[0]?.subject, issuer.subject);
  });

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

  it('name each client that a resource server with JWTs cannot have', async () => {
    const { page } = visitor;
    await openClient('Pairwise', { subjectType: 'pairwise' });
    await visitor.goTo(`/resource-servers/${resourceServerId}?tab=settings`);
    await page.getByRole('radio', { name: 'JWT: the API verifies tokens itself' }).check();
    await save();
    await page.getByText('The client portal has a token lifetime of 0 seconds.').waitFor();
    await page.getByText('The client pairwise has a token lifetime of 0 seconds.').waitFor();
    await page.getByText('The client pairwise has pairwise subjects.').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-resource-server-format');
    for (const { id } of (await visitor.admin().clients.list(resourceServerId)).items) {
      await visitor
        .admin()
        .clients.update({ resourceServerId, id }, { expireDuration: 60, subjectType: 'public' });
    }
    await save();
    await saved();
    const { record } = await visitor.admin().resourceServers.get(resourceServerId);
    assert.equal(record.accessTokenFormat, 'jwt');
    await openClient('Fine', { expireDuration: 60 });
    await page.getByLabel('Token lifetime in seconds').fill('0');
    await save();
    await page.getByText('Token lifetime must be 1 to 86400 seconds').waitFor();
    // The browser reports the answers that refuse a change.
    const unexpected = visitor.errors().filter((error) => !/status of 4(?:00|09) /.test(error));
    assert.deepEqual(unexpected, []);
  });
});

describe('descriptions of scopes on the administration pages', () => {
  it('are written for a new API, changed later, and shown beside the boxes of a client', async () => {
    const { page, goTo } = visitor;
    await goTo('/resource-servers/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Notes API');
    const scopes = page.getByLabel('Scopes', { exact: true });
    await scopes.fill('read');
    await scopes.press('Enter');
    await scopes.fill('write');
    await scopes.press('Enter');
    await page.getByLabel('read', { exact: true }).fill('Read your notes');
    await page.getByRole('button', { name: 'Add a language for read' }).click();
    await page.getByLabel('Text for read in this language', { exact: true }).fill('Notities lezen');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('have a text for read without a language').waitFor();
    await page.getByLabel('Language of a text for read').fill('nl');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Notes API', level: 1 }).waitFor();

    const [api] = (await visitor.admin().resourceServers.list({ q: 'Notes API' })).items;
    const stored = async () =>
      (await visitor.admin().resourceServers.getDescribed(api?.id ?? 0)).record.scopes;
    const read = { name: 'read', description: 'Read your notes', descriptions: { nl: 'Notities lezen' } };
    assert.deepEqual(await stored(), [read, { name: 'write' }]);

    await goTo(`/resource-servers/${api?.id}?tab=settings`);
    assert.equal(
      await page.getByLabel('Text for read in nl', { exact: true }).inputValue(),
      'Notities lezen',
    );
    await page.getByRole('button', { name: 'Remove the text for read in nl' }).click();
    await page.getByLabel('write', { exact: true }).fill('Write notes');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    assert.deepEqual(await stored(), [
      { name: 'read', description: 'Read your notes' },
      { name: 'write', description: 'Write notes' },
    ]);

    await goTo(`/resource-servers/${api?.id}/clients/new`);
    await page.getByText('Write notes').waitFor();
  });
});

describe('the lifetime of a client without expiry', () => {
  it('is shown with that of its implicit tokens, as the server is configured', async () => {
    const { page, goTo } = visitor;
    const admin = visitor.admin();
    const { id } = await admin.resourceServers.create({ name: 'Maps', contactName: 'Emma' });
    const redirectUris = ['https://map.example/callback'];
    const implicit = { allowedImplicitGrant: true, redirectUris, expireDuration: 0 };
    const client = await admin.clients.create(id, { ...implicit, clientName: 'Map', contactName: 'Emma' });

    await goTo(`/resource-servers/${id}/clients/${client.id}?tab=settings`);
    await page.getByText('Implicit tokens expire after 1 hour 30 minutes.').waitFor();
    await page.getByRole('button', { name: '15 min' }).click();
    assert.equal(await page.getByText('Implicit tokens expire').count(), 0);
    await page.getByRole('button', { name: 'no expiry' }).click();
    await page.locator('label').filter({ hasText: 'Implicit grant' }).click();
    assert.equal(await page.getByText('Implicit tokens expire').count(), 0);

    await goTo('/clients');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Token lifetime' }).check();
    await page.getByText('no expiry; implicit tokens: 1 hour 30 minutes').waitFor();
  });
});

describe('a client that a configuration manages', () => {
  it('is read and not changed on its page, which names the configuration, and its drift needs attention', async () => {
    const { page, goTo } = visitor;
    await applyConfiguration(server);
    const managed = await server.service.store.clients.find('Managed');
    assert.ok(managed, 'the client Managed');
    await goTo(`/resource-servers/${managed.resourceServerId}/clients/${managed.id}?tab=settings`);
    await page.getByText('The configuration shop manages this record: it is changed in its file').waitFor();
    const description = page.getByLabel('Description', { exact: true });
    assert.ok(await description.isDisabled(), 'the field is not disabled');
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    await visitor.assertAccessible();
    await visitor.screenshot('console-client-managed');
    await page.getByRole('tab', { name: 'Secret and removal' }).click();
    assert.ok(await page.getByRole('button', { name: 'Delete' }).isDisabled(), 'Delete is not disabled');
    assert.ok(await page.getByRole('button', { name: 'Revoke all tokens' }).isEnabled());

    await driftFromConfiguration(server);
    await goTo('/');
    await page.getByText('Configuration shop: 1 record is not as it was applied.').waitFor();
    await page.getByRole('link', { name: 'Managed', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Managed', level: 1 }).waitFor();
    await visitor.screenshot('console-client-drifted');
  });
});
