import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Application, isActive, redirectUri } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { openidScope, persona, registerOpenidClient, userinfo, verified } from '../support/openid-client.ts';

describe('tokens of the authorization endpoint', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
  });
  after(() => server[Symbol.asyncDispose]());

  describe('of the implicit flow', () => {
    let app: Application;
    before(async () => {
      app = await registerOpenidClient(server, { allowedImplicitGrant: true, confidential: false });
    });

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

  describe('of the hybrid flow', () => {
    let app: Application;
    before(async () => {
      app = await registerOpenidClient(server, { allowedHybrid: true });
    });

    const ask = (parameters: Record<string, string>, agent?: UserAgent, client = app) =>
      client.authorize({ scope: openidScope, nonce: 'n-2', ...parameters }, { password: persona }, agent);
    const half = (value: string) =>
      createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url');
    const exchanged = async (code: string | null, client = app) => {
      const answer = await client.redeem(code ?? assert.fail('no code'));
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };

    for (const responseType of ['code id_token', 'code token', 'code id_token token']) {
      const hasIdToken = responseType.includes('id_token');
      const hasToken = responseType.endsWith(' token');

      it(`oidcc-server: ${responseType} brings a code and tokens of one login, in the fragment`, async () => {
        const { parameters, location } = await ask({ response_type: responseType });
        assert.ok(location.startsWith(`${redirectUri}#`), location);
        const names = [
          ...(hasToken ? ['access_token', 'expires_in', 'scope', 'token_type'] : []),
          ...(hasIdToken ? ['id_token'] : []),
        ];
        assert.deepEqual([...parameters.keys()].sort(), ['code', 'iss', 'state', ...names].sort());
        const [code, token] = [parameters.get('code') ?? '', parameters.get('access_token') ?? ''];
        const tokens = await exchanged(code);
        const later = await verified(server, tokens.id_token, app);
        assert.deepEqual(
          [later.nonce, later.at_hash, later.c_hash],
          ['n-2', half(tokens.access_token), undefined],
        );
        if (hasIdToken) {
          const claims = await verified(server, parameters.get('id_token') ?? '', app);
          assert.deepEqual([claims.c_hash, claims.at_hash], [half(code), hasToken ? half(token) : undefined]);
          for (const name of ['iss', 'sub', 'aud', 'nonce', 'auth_time', 'acr', 'sid'])
            assert.deepEqual(claims[name], later[name], name);
          assert.ok(!('email' in claims), 'expected the claims of the user from the userinfo endpoint alone');
        }
        for (const each of [tokens.access_token, ...(hasToken ? [token] : [])]) {
          const { sub, email } = (await userinfo(server, each)).json;
          assert.deepEqual([sub, email], [later.sub, 'emma@example.org']);
        }
      });

      it(`oidcc-codereuse: ends every token of ${responseType} when the code comes again`, async () => {
        const { parameters } = await ask({ response_type: responseType, scope: 'openid read' });
        const { access_token, refresh_token } = await exchanged(parameters.get('code'));
        const tokens = [access_token, ...(hasToken ? [parameters.get('access_token') ?? ''] : [])];
        for (const token of tokens) assert.ok(await isActive(server, token));
        const replay = await app.redeem(parameters.get('code') ?? '');
        assert.deepEqual([replay.status, replay.json.error], [400, 'invalid_grant']);
        for (const token of tokens) assert.ok(!(await isActive(server, token)));
        assert.equal((await app.refresh(refresh_token)).json.error, 'invalid_grant');
      });

      it(`oidcc-refresh-token: refreshes a login of ${responseType}`, async () => {
        const { parameters } = await ask({ response_type: responseType });
        const { refresh_token, id_token } = await exchanged(parameters.get('code'));
        const { json } = await app.refresh(refresh_token);
        const [first, next] = [
          await verified(server, id_token, app),
          await verified(server, json.id_token, app),
        ];
        assert.deepEqual([next.sub, next.auth_time, next.nonce], [first.sub, first.auth_time, undefined]);
      });

      it(`oidcc-ensure-request-without-nonce: ${hasIdToken ? 'fails' : 'succeeds'} with ${responseType}`, async () => {
        const { parameters, location } = await ask({ response_type: responseType, nonce: '' });
        assert.equal(parameters.get('error'), hasIdToken ? 'invalid_request' : null);
        assert.equal(parameters.has('code'), !hasIdToken);
        assert.ok(location.startsWith(`${redirectUri}#`), location);
      });

      it(`is posted in a form for ${responseType} too, and oidcc-prompt-none reports in the same way`, async () => {
        const request = { response_type: responseType, response_mode: 'form_post' };
        const agent = new UserAgent();
        const without = await ask({ ...request, prompt: 'none' }, agent);
        assert.deepEqual(
          [without.location, without.parameters.get('error')],
          [redirectUri, 'login_required'],
        );
        await ask(request, agent);
        const { location, parameters, pages } = await ask(
          { ...request, prompt: 'none', max_age: '1000' },
          agent,
        );
        assert.deepEqual([location, pages.length], [redirectUri, 1]);
        await exchanged(parameters.get('code'));
        assert.equal(parameters.has('id_token'), hasIdToken);
      });
    }

    it('have the claims of the user in the first ID token where the client is registered so', async () => {
      const own = await registerOpenidClient(server, { allowedHybrid: true, claimsInIdToken: true });
      const { parameters } = await ask({ response_type: 'code id_token' }, undefined, own);
      assert.equal((await verified(server, parameters.get('id_token') ?? '', own)).email, 'emma@example.org');
    });

    it('can be a JWT, which ends with its code too', async () => {
      const fields = { accessTokenFormat: 'jwt' } as const;
      const { resourceServer, credentials } = await registerResourceServer(server, 'Orders', fields);
      const own = await registerOpenidClient(server, { allowedHybrid: true }, resourceServer.key);
      const { parameters } = await ask({ response_type: 'code token', scope: 'read' }, undefined, own);
      const token = parameters.get('access_token') ?? '';
      await verified(server, token, own, { audience: resourceServer.key, typ: 'at+jwt' });
      const isKnown = async () =>
        (await server.post('/oauth2/introspect', { token }, credentials)).json.active;
      await exchanged(parameters.get('code'), own);
      assert.equal(await isKnown(), true);
      await own.redeem(parameters.get('code') ?? '');
      assert.equal(await isKnown(), false);
    });
  });
});
