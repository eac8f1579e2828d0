import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

const list = '/admin/resourceServer';
const redirectUris = ['https://app.example/cb'];

describe('a public client without the implicit grant', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const register = () => registerApplication(server, { confidential: false });

  it('redeems a code and refreshes by its client_id alone, with PKCE', async () => {
    const app = await register();
    assert.equal(app.credentials, undefined);
    const { refresh_token } = await app.obtainTokens();
    assert.equal((await app.refresh(refresh_token)).status, 200);
  });

  it('needs PKCE, and cannot use the implicit grant', async () => {
    const app = await register();
    const bare = await app.authorize({ code_challenge: '', code_challenge_method: '', prompt: 'none' });
    assert.equal(bare.parameters.get('error'), 'invalid_request');
    const implicit = await app.authorize({ response_type: 'token', prompt: 'none' });
    assert.equal(implicit.parameters.get('error'), 'unauthorized_client');
  });

  it('authenticates by HTTP Basic with an empty password, at the token and the revocation endpoint', async () => {
    const app = await register();
    const basic = `${app.client.clientId}:`;
    const { refresh_token } = await app.obtainTokens();
    const form = { grant_type: 'refresh_token', refresh_token, client_id: '' };
    const answer = await server.post('/oauth2/token', form, basic);
    assert.equal(answer.status, 200, answer.text);
    const revoked = await server.post('/oauth2/revoke', { token: answer.json.access_token }, basic);
    assert.equal(revoked.status, 200, revoked.text);
  });

  it('is not introspected for, and no resource server has an empty password', async () => {
    const { client } = await register();
    const introspected = await server.post('/oauth2/introspect', { token: 'x' }, `${client.clientId}:`);
    assertError(introspected, 401, 'invalid_client');
    const [key] = demoResourceServer.split(':');
    assertError(await server.post('/v1/tokeninfo', { access_token: 'x' }, `${key}:`), 401, 'invalid_client');
  });

  it('is the only one that an empty password authenticates', async () => {
    const grant = { grant_type: 'client_credentials' };
    assertError(await server.post('/oauth2/token', grant, 'demo-service:'), 401, 'invalid_client');
    assertError(await server.post('/oauth2/token', grant, 'unknown:'), 401, 'invalid_client');
  });
});

describe('the field confidential over REST', () => {
  let server: AdministrationServer;
  let emma: Administering;
  let root: Administering;
  let clients: string;
  before(async () => {
    server = await startAdministration();
    emma = await server.person('emma');
    root = await server.administrator();
    clients = `${list}/${(await emma.create(list, anApi)).id}/client`;
  });
  after(() => server[Symbol.asyncDispose]());

  it('is true by default, and with it a client has a secret', async () => {
    for (const method of ['POST', 'PUT'] as const) {
      const { json } = await emma.call(method, clients, anApp);
      assert.equal(json.confidential, true);
      assert.match(json.secret, /^wws_/);
    }
  });

  it('makes a client public, which has no secret', async () => {
    for (const confidential of [false, 0]) {
      const { json } = await emma.call('POST', clients, { ...anApp, redirectUris, confidential });
      assert.deepEqual([json.confidential, json.secret, json.lacksSecret], [false, undefined, undefined]);
    }
  });

  it('is false when a request allows the implicit grant and leaves it out', async () => {
    const implicit = { ...anApp, redirectUris, allowedImplicitGrant: true };
    const created = await emma.call('PUT', clients, implicit);
    assert.deepEqual([created.json.confidential, created.json.secret], [false, undefined]);
    for (const method of ['PUT', 'POST', 'PATCH'] as const) {
      const { id, secret } = await emma.create(clients, { ...anApp, redirectUris });
      assert.match(secret, /^wws_/);
      const { json } = await emma.call(method, `${clients}/${id}`, implicit);
      assert.equal(json.confidential, false, method);
    }
  });

  it('must not be true beside the implicit grant', async () => {
    const both = { ...anApp, redirectUris, allowedImplicitGrant: true, confidential: true };
    const violation =
      'confidential: must be false beside allowedImplicitGrant, which is for public clients; allowedHybrid is for confidential ones';
    const refused = await emma.call('POST', clients, both);
    assertError(refused, 400, 'invalid_request');
    assert.deepEqual(refused.json.violations, [violation]);
    const { id } = await emma.create(clients, { ...both, confidential: false });
    for (const body of [{ confidential: true }, { confidential: null }]) {
      const changed = await emma.call('PATCH', `${clients}/${id}`, body);
      assert.deepEqual(changed.json.violations, [violation]);
    }
  });

  it('stays false when the implicit grant is switched off', async () => {
    const { id } = await emma.create(clients, { ...anApp, redirectUris, allowedImplicitGrant: true });
    const { json } = await emma.call('PATCH', `${clients}/${id}`, { allowedImplicitGrant: false });
    assert.deepEqual([json.allowedImplicitGrant, json.confidential], [false, false]);
    const machine = await emma.call('PATCH', `${clients}/${id}`, { allowedClientCredentials: true });
    assert.deepEqual(machine.json.violations, [
      'allowedClientCredentials: needs a confidential client: set confidential to true',
    ]);
  });

  it('stays as it is when a replacement leaves it out, as clients of earlier releases do', async () => {
    for (const confidential of [true, false]) {
      const { id } = await emma.create(clients, { ...anApp, redirectUris, confidential });
      for (const method of ['PUT', 'POST'] as const) {
        const whole = { ...anApp, redirectUris, description: method };
        const { json } = await emma.call(method, `${clients}/${id}`, whole);
        assert.deepEqual([json.confidential, json.description], [confidential, method]);
      }
    }
  });

  it('removes the secret when it becomes false, and needs a rotation when it becomes true', async () => {
    const app = { ...anApp, clientName: 'Turning', redirectUris };
    const { id, clientId, secret } = await emma.create(clients, app);
    const address = `${clients}/${id}`;
    const redeemed = async (credentials: string) => {
      const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUris[0] ?? '' };
      return (await server.post('/oauth2/token', form, credentials)).json.error;
    };
    assert.equal(await redeemed(`${clientId}:${secret}`), 'invalid_grant');
    await emma.call('PATCH', address, { confidential: false });
    assert.equal(await redeemed(`${clientId}:${secret}`), 'invalid_client');
    assert.equal(await redeemed(`${clientId}:`), 'invalid_grant');
    assertError(await emma.call('POST', `${address}/secret`), 400, 'invalid_request');

    const turned = await emma.call('PATCH', address, { confidential: true });
    assert.equal(turned.json.lacksSecret, true);
    assert.equal((await emma.get(address)).json.lacksSecret, true);
    for (const password of ['', secret]) {
      assert.equal(await redeemed(`${clientId}:${password}`), 'invalid_client');
    }
    const rotated = await emma.call('POST', `${address}/secret`);
    assert.equal(rotated.json.lacksSecret, undefined);
    assert.equal(await redeemed(`${clientId}:${rotated.json.secret}`), 'invalid_grant');
  });

  it('ends the trust when its owner changes it, and not when an administrator does', async () => {
    const { id } = await emma.create(clients, { ...anApp, redirectUris });
    const address = `${clients}/${id}`;
    await root.call('PATCH', address, { skipConsent: true });
    const kept = await root.call('PATCH', address, { confidential: false });
    assert.deepEqual([kept.json.skipConsent, kept.json.trusted], [true, true]);
    const { json } = await emma.call('PATCH', address, { confidential: true });
    assert.deepEqual(
      [json.skipConsent, json.trusted, json.reset],
      [false, false, ['skipConsent', 'trusted']],
    );
  });
});
