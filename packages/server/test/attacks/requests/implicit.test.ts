import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  codeVerifier,
  isActive,
  pkce,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { assertRedirect, assertRedirectedError } from '../../support/browser-answers.ts';

const implicit = { response_type: 'token', code_challenge: '', code_challenge_method: '' };

describe('the implicit grant', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server, { allowedImplicitGrant: true });
  });
  after(() => server[Symbol.asyncDispose]());

  it('IM-1: answers with a token in the fragment, and with the parameters of the contract only', async () => {
    const { redirect, location, parameters } = await app.authorize({ ...implicit, scope: 'read' });
    assertRedirect(redirect, redirectUri, '#');
    assert.equal(new URL(location).search, '');
    const { access_token = '', ...rest } = Object.fromEntries(parameters);
    assert.deepEqual(rest, {
      token_type: 'bearer',
      expires_in: '3600',
      scope: 'read',
      state: 'state-1',
      iss: server.service.baseUrl,
    });
    const info = await server.post('/v1/tokeninfo', { access_token }, demoResourceServer);
    assert.equal(info.json.principal.name, 'emma');
    assert.deepEqual(info.json.scopes, ['read']);
    assert.ok(info.json.expires_in > Date.now());
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest('IM-1: never issues a refresh token or a code', async () => {
    const refreshing = await registerApplication(server, {
      allowedImplicitGrant: true,
      useRefreshTokens: true,
    });
    const { parameters } = await refreshing.authorize(implicit);
    assert.ok(parameters.has('access_token'));
    for (const name of ['refresh_token', 'code']) assert.ok(!parameters.has(name));
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest(
    'IM-1: issues a token with the lifetime of its client, and at most an hour by default',
    async () => {
      const short = await registerApplication(server, { allowedImplicitGrant: true, expireDuration: 90 });
      assert.equal((await short.authorize(implicit)).parameters.get('expires_in'), '90');
      assert.equal((await app.authorize(implicit)).parameters.get('expires_in'), '3600');
    },
  );

  it('IM-2: returns the state as one parameter, with any content', async () => {
    for (const state of ['&access_token=evil', '#x%26a=1', ' b+c"<é>', 'x'.repeat(2000)]) {
      const { parameters } = await app.authorize({ ...implicit, state });
      assert.equal(parameters.get('state'), state);
      assert.equal(parameters.getAll('access_token').length, 1);
      assert.ok(await isActive(server, parameters.get('access_token') ?? ''));
    }
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest(
    'IM-2: names the principal only for clients that are registered so, as one parameter',
    async () => {
      assert.ok(!(await app.authorize(implicit)).parameters.has('principal'));
      const naming = await registerApplication(server, {
        allowedImplicitGrant: true,
        includePrincipal: true,
      });
      for (const username of ['emma', 'a&access_token=evil', '#fragment', '100% é']) {
        const { parameters } = await naming.authorize(implicit, { username });
        assert.equal(parameters.get('principal'), username);
        assert.equal(parameters.getAll('access_token').length, 1);
      }
    },
  );

  it('IM-3: returns errors in the fragment', async () => {
    const { issuer, separator } = { issuer: server.service.baseUrl, separator: '#' } as const;
    const refused = await app.open({ ...implicit, scope: 'admin' });
    assertRedirectedError(refused, 'invalid_scope', { issuer, separator });
    const denied = await app.authorize(implicit, { username: 'dora', decision: 'deny' });
    assertRedirectedError(denied.redirect, 'access_denied', { issuer, separator });
  });

  it('IM-3: is rejected for a client that is not registered for it', async () => {
    const confidential = await registerApplication(server);
    const page = await confidential.open(implicit);
    assertRedirectedError(page, 'unauthorized_client', {
      issuer: server.service.baseUrl,
      separator: '#',
    });
  });

  describe('the hybrid flow', () => {
    const types = ['code id_token', 'code token', 'code id_token token'];
    let hybrid: Application;
    let other: Application;
    before(async () => {
      hybrid = await registerApplication(server, { allowedHybrid: true });
      other = await registerApplication(server, { allowedHybrid: true });
    });
    const request = { scope: 'openid read', nonce: 'n-1' };

    it('HY-1: never answers in the query, whatever the request asks for', async () => {
      for (const response_type of types) {
        const modes = ['query', 'QUERY', 'query.jwt', 'web_message'];
        for (const response_mode of response_type === 'code token' ? modes : modes.slice(0, 1)) {
          const { redirect } = await hybrid.authorize({ ...request, response_type, response_mode });
          assertRedirectedError(redirect, 'invalid_request', {
            issuer: server.service.baseUrl,
            separator: '#',
          });
        }
        const { location } = await hybrid.authorize({ ...request, response_type });
        assert.equal(new URL(location).search, '');
      }
    });

    it('HY-2: returns everything in the fragment, with headers that keep it from caches and other sites', async () => {
      for (const response_type of types) {
        const denied = await hybrid.authorize(
          { ...request, response_type },
          { username: 'dora', decision: 'deny' },
        );
        assertRedirectedError(denied.redirect, 'access_denied', {
          issuer: server.service.baseUrl,
          separator: '#',
        });
      }
      const [response_type = ''] = types;
      assertRedirect((await hybrid.authorize({ ...request, response_type })).redirect, redirectUri, '#');
    });

    it('HY-3: gives a code to its client alone, and a foreign attempt leaves the tokens beside it', async () => {
      const { parameters } = await hybrid.authorize({ ...request, response_type: 'code token' });
      const [code, token] = [parameters.get('code') ?? '', parameters.get('access_token') ?? ''];
      assert.equal((await other.redeem(code)).json.error, 'invalid_grant');
      assert.ok(await isActive(server, token));
      assert.equal((await hybrid.redeem(token)).json.error, 'invalid_grant');
      assert.equal((await hybrid.redeem(code)).status, 200);
    });

    it('HY-4: ends with the token that its client revokes: no code of the same answer outlives it', async () => {
      const { parameters } = await hybrid.authorize({ ...request, response_type: 'code token' });
      await server.post(
        '/oauth2/revoke',
        { token: parameters.get('access_token') ?? '' },
        hybrid.credentials,
      );
      assert.equal((await hybrid.redeem(parameters.get('code') ?? '')).json.error, 'invalid_grant');
    });

    it('HY-5: keeps PKCE: a code with a challenge needs its verifier', async () => {
      const { parameters } = await hybrid.authorize({ ...request, response_type: 'code token', ...pkce });
      const code = parameters.get('code') ?? '';
      assert.equal((await hybrid.redeem(code)).json.error, 'invalid_grant');
      assert.equal((await hybrid.redeem(code, { code_verifier: codeVerifier })).status, 200);
    });
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest('grants less scope to the token when the user consents to less', async () => {
    const { parameters } = await app.authorize(implicit, { username: 'sam', scopes: ['write'] });
    assert.equal(parameters.get('scope'), 'write');
  });
});
