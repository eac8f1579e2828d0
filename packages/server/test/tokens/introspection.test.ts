import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import {
  demoClient,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

describe('POST /oauth2/introspect', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());
  const introspect = (form: Record<string, string>, credentials?: string) =>
    server.post('/oauth2/introspect', form, credentials);

  it('answers the resource server of an active token with the members of RFC 7662', async () => {
    const { credentials } = await registerClient(server, { clientName: 'Short', expireDuration: 3600 });
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const { iat, exp, ...rest } = (await introspect({ token: issued.json.access_token }, demoResourceServer))
      .json;
    assert.deepEqual(rest, {
      active: true,
      scope: 'read',
      client_id: 'short',
      username: 'short',
      token_type: 'bearer',
      sub: 'short',
      aud: 'demo-resource-server',
      iss: server.service.baseUrl,
    });
    assert.ok(Math.abs(iat - Date.now() / 1000) < 60);
    assert.equal(exp - iat, 3600);
  });

  it('leaves out exp for a token that does not expire', async () => {
    const { credentials } = await registerClient(server, { expireDuration: 0 });
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const answer = await introspect({ token: issued.json.access_token }, demoResourceServer);
    assert.equal(answer.json.active, true);
    assert.ok(!('exp' in answer.json));
  });

  it('answers a client about its own tokens, by Basic or body, and about no other', async () => {
    const token = await server.issueToken();
    assert.equal((await introspect({ token }, demoClient)).json.active, true);
    const body = { token, client_id: 'demo-service', client_secret: 'demo-service-secret' };
    assert.equal((await introspect(body)).json.active, true);
    const other = await registerClient(server);
    assert.equal((await introspect({ token }, other.credentials)).text, '{"active":false}');
  });

  it('answers a client about its own refresh tokens alone, with and without token_type_hint', async () => {
    const app = await registerApplication(server, { useRefreshTokens: true });
    const { refresh_token: token } = await app.obtainTokens();
    for (const hint of [{}, { token_type_hint: 'refresh_token' }, { token_type_hint: 'access_token' }]) {
      const { json } = await introspect({ token, ...hint }, app.credentials);
      assert.deepEqual(
        [json.active, json.client_id, json.token_type, json.aud],
        [true, app.client.clientId, undefined, undefined],
      );
      for (const caller of [demoClient, demoResourceServer]) {
        assert.equal((await introspect({ token, ...hint }, caller)).text, '{"active":false}');
      }
    }
    assert.equal((await app.refresh(token)).status, 200);
    assert.equal((await introspect({ token }, app.credentials)).text, '{"active":false}');
  });

  it('answers only that unknown, revoked and foreign tokens are inactive', async () => {
    const foreign = await registerResourceServer(server, 'Foreign API');
    const revoked = await server.issueToken();
    await server.post('/oauth2/revoke', { token: revoked }, demoClient);
    const live = await server.issueToken();
    for (const [token, caller] of [
      ['garbage', demoResourceServer],
      [revoked, demoResourceServer],
      [live, foreign.credentials],
    ] as const) {
      const answer = await introspect({ token }, caller);
      assert.equal(answer.status, 200);
      assert.equal(answer.text, '{"active":false}');
    }
  });

  it('rejects callers without credentials, with wrong ones, and public clients', async () => {
    const token = await server.issueToken();
    const { client } = await registerClient(server, {
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      redirectUris: ['https://app.example/cb'],
    });
    assertError(await introspect({ token }), 401, 'invalid_client');
    assertError(await introspect({ token }, 'demo-service:wrong'), 401, 'invalid_client');
    assertError(await introspect({ token }, 'demo-resource-server:wrong'), 401, 'invalid_client');
    assertError(await introspect({ token, client_id: client.clientId }), 401, 'invalid_client');
    assertError(await introspect({ token, client_id: 'demo-service' }), 401, 'invalid_client');
  });

  it('rejects a request without a token', async () => {
    assertError(await introspect({}, demoResourceServer), 400, 'invalid_request');
  });
});
