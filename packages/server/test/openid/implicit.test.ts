import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/administration';
import { type Application, isActive } from '@watchword/server-testkit/application';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { openidScope, persona, registerOpenidClient, userinfo, verified } from '../support/openid-client.ts';

describe('the implicit flow of OpenID Connect', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
    app = await registerOpenidClient(server, { allowedImplicitGrant: true, confidential: false });
  });
  after(() => server[Symbol.asyncDispose]());

  const authorize = (parameters: Record<string, string>, agent?: UserAgent) =>
    app.authorize({ scope: openidScope, nonce: 'n-1', ...parameters }, { password: persona }, agent);

  it('answers id_token with an ID token that has the claims of the scopes, and with no access token', async () => {
    const { parameters, location } = await authorize({ response_type: 'id_token' });
    assert.deepEqual([...parameters.keys()].sort(), ['id_token', 'iss', 'state']);
    assert.ok(location.includes('#'), location);
    const claims = await verified(server, parameters.get('id_token') ?? '', app);
    assert.equal(claims.nonce, 'n-1');
    assert.equal(claims.email, 'emma@example.org');
    assert.equal(claims.at_hash, undefined);
  });

  it('answers id_token token with both, and the ID token has the hash of the access token', async () => {
    for (const responseType of ['id_token token', 'token id_token']) {
      const { parameters } = await authorize({ response_type: responseType });
      const names = ['access_token', 'expires_in', 'id_token', 'iss', 'scope', 'state', 'token_type'];
      assert.deepEqual([...parameters.keys()].sort(), names);
      const accessToken = parameters.get('access_token') ?? '';
      const claims = await verified(server, parameters.get('id_token') ?? '', app);
      const digest = createHash('sha256').update(accessToken).digest();
      assert.equal(claims.at_hash, digest.subarray(0, 16).toString('base64url'));
      assert.equal(claims.email, undefined);
      const { sub, email } = (await userinfo(server, accessToken)).json;
      assert.deepEqual([sub, email], [claims.sub, 'emma@example.org']);
    }
  });

  it('leaves no grant behind that gives access, when only an ID token is issued', async () => {
    const agent = new UserAgent();
    await authorize({ response_type: 'id_token' }, agent);
    const again = await authorize({ response_type: 'id_token' }, agent);
    // The consent is remembered.
    assert.equal(again.pages.length, 1);
  });

  it('answers by form_post, and never in the query', async () => {
    const posted = await authorize({ response_type: 'id_token', response_mode: 'form_post' });
    await verified(server, posted.parameters.get('id_token') ?? '', app);
    const { parameters, location } = await authorize({ response_type: 'id_token', response_mode: 'query' });
    assert.equal(parameters.get('error'), 'invalid_request');
    assert.ok(!location.includes('id_token='));
  });

  it('needs a nonce and the scope openid', async () => {
    for (const request of [{ nonce: '' }, { scope: 'read' }]) {
      for (const responseType of ['id_token', 'id_token token']) {
        const { parameters } = await authorize({ response_type: responseType, ...request });
        assert.equal(parameters.get('error'), 'invalid_request', JSON.stringify(request));
        assert.equal(parameters.get('id_token'), null);
      }
    }
  });

  it('is not for other clients', async () => {
    const other = await registerOpenidClient(server);
    const request = { response_type: 'id_token', scope: 'openid', nonce: 'n-1' };
    const { parameters } = await other.authorize(request, { password: persona });
    assert.equal(parameters.get('error'), 'unauthorized_client');
  });

  it('never takes an ID token as an access token', async () => {
    const { parameters } = await authorize({ response_type: 'id_token' });
    const idToken = parameters.get('id_token') ?? '';
    assert.equal((await userinfo(server, idToken)).json.error, 'invalid_token');
    assert.ok(!(await isActive(server, idToken)));
  });
});
