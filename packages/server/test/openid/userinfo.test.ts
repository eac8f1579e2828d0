import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, redirectUri } from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';
import { logIn, persona, registerOpenidClient, userinfo, verified } from '../support/openid-client.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the userinfo endpoint', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
    app = await registerOpenidClient(server);
  });
  after(() => server[Symbol.asyncDispose]());

  it('answers with the subject of the ID token and the claims of the scopes', async () => {
    const { tokens, claims } = await logIn(server, app);
    const { status, headers, json } = await userinfo(server, tokens.access_token);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(json, {
      sub: claims.sub,
      name: 'Emma de Vries',
      given_name: 'Emma',
      family_name: 'de Vries',
      preferred_username: 'emma',
      email: 'emma@example.org',
      email_verified: true,
      address: { country: 'NL' },
      phone_number: '+31201234567',
    });
  });

  it('takes the access token in the header or the form body of a POST, and reads no body beside a header', async () => {
    const { tokens } = await logIn(server, app);
    const token = tokens.access_token;
    const expected = (await userinfo(server, token)).json;
    const body = new URLSearchParams({ access_token: token }).toString();
    for (const answer of [
      await userinfo(server, token, { method: 'POST' }),
      await userinfo(server, token, { method: 'POST', headers: form, body: '' }),
      await userinfo(server, undefined, { method: 'POST', headers: form, body }),
      await userinfo(server, token, { method: 'POST', headers: form, body: 'access_token=x' }),
      await userinfo(server, token, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
      await userinfo(server, token, { method: 'POST', headers: { 'content-type': 'application/json' } }),
    ]) {
      assert.deepEqual(answer.json, expected);
    }
    const wrong = await userinfo(server, 'x', { method: 'POST', headers: form, body });
    assert.deepEqual([wrong.status, wrong.json.error], [401, 'invalid_token']);
    const inQuery = await server.get(`/oauth2/userinfo?access_token=${token}`);
    assert.deepEqual([inQuery.status, inQuery.json.error], [401, 'invalid_token']);
  });

  it('answers only with claims of granted scopes that the client still has', async () => {
    const { tokens } = await logIn(server, app, { scope: 'openid email' });
    assert.deepEqual(Object.keys((await userinfo(server, tokens.access_token)).json).sort(), [
      'email',
      'email_verified',
      'sub',
    ]);
  });

  it('answers with claims that were requested for it by name', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true }, phone_number: { value: '1' } } });
    const { tokens } = await logIn(server, app, { scope: 'openid', claims });
    const { sub, ...others } = (await userinfo(server, tokens.access_token)).json;
    assert.deepEqual(others, { name: 'Emma de Vries' });
  });

  it('keeps the requested claims after a refresh', async () => {
    const claims = JSON.stringify({ userinfo: { given_name: null } });
    const { tokens } = await logIn(server, app, { scope: 'openid', claims });
    const { json } = await app.refresh(tokens.refresh_token);
    assert.equal((await userinfo(server, json.access_token)).json.given_name, 'Emma');
  });

  it('needs the scope openid', async () => {
    const { parameters } = await app.authorize({ scope: 'read' }, { password: persona });
    const { json } = await app.redeem(parameters.get('code') ?? '');
    const answer = await userinfo(server, json.access_token);
    assertError(answer, 403, 'insufficient_scope');
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope".*scope="openid"/);
    assertError(await userinfo(server, await server.issueToken()), 403, 'insufficient_scope');
  });

  it('answers a missing, unknown or revoked token with a challenge', async () => {
    const missing = await userinfo(server, undefined);
    assert.equal(missing.status, 401);
    const challenges = missing.headers.get('www-authenticate') ?? '';
    assert.match(challenges, /^Bearer realm="watchword", DPoP realm="watchword", algs="ES256 [^"]*"$/);
    const { tokens } = await logIn(server, app);
    await server.post('/oauth2/revoke', { token: tokens.refresh_token }, app.credentials);
    for (const token of ['x', tokens.access_token]) {
      const answer = await userinfo(server, token);
      assert.deepEqual([answer.status, answer.json.error], [401, 'invalid_token']);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/);
    }
  });

  it('signs its answer for a client that is registered for it', async () => {
    const signed = await registerOpenidClient(server, { userinfoSignedResponseAlg: 'RS256' });
    const { tokens, claims } = await logIn(server, signed);
    const { headers, text } = await userinfo(server, tokens.access_token);
    assert.equal(headers.get('content-type'), 'application/jwt');
    const { sub, iss, aud, email } = await verified(server, text, signed);
    assert.deepEqual(
      { sub, iss, aud, email },
      {
        sub: claims.sub,
        iss: server.service.baseUrl,
        aud: signed.client.clientId,
        email: 'emma@example.org',
      },
    );
  });

  it('answers scripts of the origins of public clients, on errors too', async () => {
    await registerOpenidClient(server, { confidential: false, redirectUris: ['https://spa.example/cb'] });
    const { origin } = new URL('https://spa.example/cb');
    const { tokens } = await logIn(server, app);
    for (const token of [tokens.access_token, 'x', undefined]) {
      const { headers } = await userinfo(server, token, { headers: { origin } });
      assert.equal(headers.get('access-control-allow-origin'), origin);
    }
    const preflight = await userinfo(server, undefined, { method: 'OPTIONS', headers: { origin } });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
    const other = await userinfo(server, tokens.access_token, {
      headers: { origin: new URL(redirectUri).origin },
    });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
  });

  it('has the pairwise subject of the client', async () => {
    const pairwise = await registerOpenidClient(server, { subjectType: 'pairwise' });
    const { tokens, claims } = await logIn(server, pairwise);
    assert.equal((await userinfo(server, tokens.access_token)).json.sub, claims.sub);
    const other = await logIn(server, app);
    assert.notEqual(other.claims.sub, claims.sub);
  });
});

describe('claims', () => {
  it('come from the attributes that the operator chose, with the scope that the operator names', async () => {
    const sources = {
      name: 'givenName',
      department: ['ou', 'c'],
      country: { from: 'c', scope: 'email' },
      groups: 'principal.groups',
    };
    await using server = await startServer({
      authenticator: anyPerson,
      'openid.claims': JSON.stringify(sources),
    });
    const { tokens } = await logIn(server, await registerOpenidClient(server));
    const { name, department, country, groups } = (await userinfo(server, tokens.access_token)).json;
    assert.deepEqual([name, department, country, groups], ['Emma', 'NL', 'NL', ['staff']]);
    const app = await registerOpenidClient(server);
    const narrow = await logIn(server, app, { scope: 'openid email' });
    const { sub: _, ...others } = (await userinfo(server, narrow.tokens.access_token)).json;
    assert.deepEqual(others, { email: 'emma@example.org', email_verified: true, country: 'NL' });
  });

  const fixed = (claim: string, scope: string) =>
    `expected the claim ${claim} in the scope ${scope}, to which OpenID Connect Core section 5.4 assigns it, got groups`;
  const inGroups = { from: 'x', scope: 'groups' };
  for (const [claim, source, problem] of [
    ['sub', 'x', 'expected a claim of users, got sub, which the server itself decides'],
    ['address', 'x', 'expected the members of the address, such as address.locality, got address'],
    ['email', inGroups, fixed('email', 'email')],
    ['address.locality', inGroups, fixed('address.locality', 'address')],
  ] as const) {
    it(`of the operator cannot be ${claim}${source === 'x' ? '' : ' in another scope'}`, async () => {
      const sources = JSON.stringify({ [claim]: source });
      await assert.rejects(startServer({ 'openid.claims': sources }), (error) => {
        assert.ok(error instanceof Error);
        assert.ok(error.message.includes(problem), error.message);
        return true;
      });
    });
  }
});
