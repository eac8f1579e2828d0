import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { logIn, persona, registerOpenidClient, userinfo } from '../support/openid-client.ts';

describe('a JWT access token that openid was granted for', () => {
  let server: TestServer;
  let app: Application;
  let api: { key: string; credentials: string };
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
    const { resourceServer, credentials } = await registerResourceServer(server, 'Orders API', {
      accessTokenFormat: 'jwt',
    });
    api = { key: resourceServer.key, credentials };
    app = await registerOpenidClient(server, {}, resourceServer.key);
  });
  after(() => server[Symbol.asyncDispose]());

  const verified = async (token: string, audience: string) => {
    const keys = createLocalJWKSet(JSON.parse((await server.get('/oauth2/jwks')).text));
    const { payload } = await jwtVerify(token, keys, { audience, typ: 'at+jwt' });
    return payload;
  };
  const info = async (access_token: string) =>
    server.post('/v1/tokeninfo', { access_token }, api.credentials);

  const assertRefused = async (token: string, error: string) => {
    const { status, json } = await userinfo(server, token);
    assert.deepEqual([status, json.error], [error === 'invalid_token' ? 401 : 403, error]);
  };

  it('is for the API and for the userinfo endpoint, with the same subject', async () => {
    const { tokens, claims } = await logIn(server, app, { scope: 'openid email read' });
    const issuer = server.service.baseUrl;
    const payload = await verified(tokens.access_token, api.key);
    assert.deepEqual(payload.aud, [api.key, issuer]);
    assert.deepEqual(await verified(tokens.access_token, issuer), payload);
    assert.deepEqual(
      [payload.sub, payload.scope, payload.acr],
      [claims.sub, 'openid email read', claims.acr],
    );
    const { status, json } = await userinfo(server, tokens.access_token);
    assert.deepEqual([status, json.sub, json.email], [200, claims.sub, 'emma@example.org']);
    assert.deepEqual((await info(tokens.access_token)).json.scopes, ['openid', 'email', 'read']);
  });

  it('has the subject of an earlier server, as ID tokens and introspection have it', async () => {
    await using moved = await startServer({ authenticator: anyPerson, 'openid.subjectFrom': 'givenName' });
    const fields = { accessTokenFormat: 'jwt' } as const;
    const { resourceServer, credentials } = await registerResourceServer(moved, 'Orders API', fields);
    const own = await registerOpenidClient(moved, {}, resourceServer.key);
    const { tokens, claims } = await logIn(moved, own);
    const { sub } = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString());
    const form = { token: tokens.access_token };
    const introspected = await moved.post('/oauth2/introspect', form, credentials);
    assert.deepEqual([sub, introspected.json.sub, claims.sub], ['Emma', 'Emma', 'Emma']);
  });

  it('is refused by the userinfo endpoint as soon as it is revoked', async () => {
    const { tokens } = await logIn(server, app);
    await server.post('/oauth2/revoke', { token: tokens.access_token }, app.credentials);
    await assertRefused(tokens.access_token, 'invalid_token');
    assert.equal((await info(tokens.access_token)).status, 404);
  });

  it('is for the API alone without openid', async () => {
    const { parameters } = await app.authorize({ scope: 'read' }, { password: persona });
    const { json } = await app.redeem(parameters.get('code') ?? '');
    assert.equal((await verified(json.access_token, api.key)).aud, api.key);
    await assertRefused(json.access_token, 'insufficient_scope');
  });

  it('is another text than the ID token, which no endpoint takes as an access token', async () => {
    const { tokens } = await logIn(server, app);
    await assertRefused(tokens.id_token, 'invalid_token');
    assert.equal((await info(tokens.id_token)).status, 404);
    const introspected = await server.post('/oauth2/introspect', { token: tokens.id_token }, api.credentials);
    assert.deepEqual(introspected.json, { active: false });
    const lookUp = await server.post('/oauth2/revoke', { token: tokens.id_token }, app.credentials);
    assert.equal(lookUp.status, 200);
    assert.equal((await info(tokens.access_token)).status, 200);
    assert.equal((await app.redeem(tokens.id_token)).json.error, 'invalid_grant');
  });
});
