import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Application, redirectUri } from '@watchword/server-testkit/clients/application';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import { logIn, openidScope, persona, registerOpenidClient, verified } from '../support/openid-client.ts';

function leftHalf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

describe('an ID token of the code flow', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({ authenticator: anyPerson, 'signing.algorithms': 'RS256,ES256' });
    app = await registerOpenidClient(server);
  });
  after(() => server[Symbol.asyncDispose]());

  it('reports the login: who, when, how, how strong, in which session, for which request', async () => {
    const { tokens, claims } = await logIn(server, app);
    const { iat = 0, exp, auth_time: authTime, sub, sid, ...others } = claims;
    assert.deepEqual(others, {
      iss: server.service.baseUrl,
      aud: app.client.clientId,
      nonce: 'n-0S6_WzA2Mj',
      amr: ['pwd', 'otp'],
      acr: 'urn:example:strong',
      at_hash: leftHalf(tokens.access_token),
    });
    assert.equal(exp, iat + 3600);
    assert.ok(iat - Number(authTime) < 60);
    for (const each of [sub, sid]) assert.match(String(each), /^[\w-]{43}$/);
    assert.equal(decodeProtectedHeader(tokens.id_token).typ, 'JWT');
    assert.equal(tokens.scope, openidScope);
  });

  it('is counted by its algorithm and its grant type, and so are those of a refresh and of the implicit flow', async () => {
    const other = await registerOpenidClient(server, {
      allowedImplicitGrant: true,
      confidential: false,
      idTokenSignedResponseAlg: 'ES256',
    });
    const counted = async () => {
      const families = parseExposition((await server.get('/metrics')).text);
      return ['authorization_code', 'refresh_token', 'implicit'].flatMap((grant_type) =>
        ['RS256', 'ES256'].map(
          (algorithm) =>
            seriesValue(families, 'watchword_id_tokens_issued_total', { algorithm, grant_type }) ?? 0,
        ),
      );
    };
    const before = await counted();
    const { tokens } = await logIn(server, app);
    await app.refresh(tokens.refresh_token);
    const { parameters } = await app.authorize({ scope: 'read' }, { password: persona });
    await app.redeem(parameters.get('code') ?? '');
    const implicit = { scope: 'openid', nonce: 'n', response_type: 'id_token' };
    await other.authorize(implicit, { password: persona });
    const added = (await counted()).map((count, index) => count - (before[index] ?? 0));
    assert.deepEqual(added, [1, 0, 1, 0, 0, 1]);
  });

  it('has the class of a login with a password when the client asks for it, as JWT access tokens have', async () => {
    const sfa = 'https://refeds.org/profile/sfa';
    const claims = JSON.stringify({ id_token: { acr: null } });
    const mfaFirst = 'https://refeds.org/profile/mfa https://refeds.org/profile/sfa';
    for (const [parameters, expected] of [
      [{}, undefined],
      [{ acr_values: '1 2' }, sfa],
      [{ acr_values: mfaFirst }, sfa],
      [{ claims }, sfa],
    ] as const) {
      const request = { scope: 'openid', nonce: 'n', ...parameters };
      const { parameters: answered } = await app.authorize(request, { password: '{}' });
      const { json } = await app.redeem(answered.get('code') ?? '');
      const idToken = await verified(server, json.id_token, app);
      assert.equal(idToken.acr, expected, JSON.stringify(parameters));
      const { json: refreshed } = await app.refresh(json.refresh_token);
      assert.equal((await verified(server, refreshed.id_token, app)).acr, expected);
    }
  });

  it('has the subject that introspection has', async () => {
    const { tokens, claims } = await logIn(server, app);
    const asked = await server.post('/oauth2/introspect', { token: tokens.access_token }, app.credentials);
    assert.equal(asked.json.sub, claims.sub);
  });

  it('is not issued without the scope openid', async () => {
    const { parameters } = await app.authorize({ scope: 'read' }, { password: persona });
    const { json } = await app.redeem(parameters.get('code') ?? '');
    assert.equal(json.id_token, undefined);
  });

  it('of a refresh names the same user, login and session, without a nonce (OpenID Connect Core §12.2)', async () => {
    const { tokens, claims } = await logIn(server, app);
    const { status, json } = await app.refresh(tokens.refresh_token);
    assert.equal(status, 200);
    const refreshed = await verified(server, json.id_token, app);
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'acr', 'amr', 'sid']) {
      assert.deepEqual(refreshed[name], claims[name], name);
    }
    assert.equal(refreshed.nonce, undefined);
    assert.equal(refreshed.at_hash, leftHalf(json.access_token));
    const repeated = await app.refresh(tokens.refresh_token);
    assert.deepEqual(repeated.json, json);
  });

  it('is not part of a refresh without the scope openid', async () => {
    const { tokens } = await logIn(server, app, { scope: 'openid read' });
    const { json } = await app.refresh(tokens.refresh_token, { scope: 'read' });
    assert.deepEqual([json.scope, json.id_token], ['read', undefined]);
  });

  it('has claims that were requested for it by name, of the scopes that the client can have', async () => {
    const claims = JSON.stringify({
      id_token: { name: { essential: true }, picture: null, shoe_size: null },
    });
    const { claims: issued } = await logIn(server, app, { scope: 'openid', claims });
    assert.equal(issued.name, 'Emma de Vries');
    assert.ok(!('email' in issued) && !('picture' in issued) && !('shoe_size' in issued));
    const limited = await registerOpenidClient(server, { openidScopes: ['email'] });
    assert.ok(!('name' in (await logIn(server, limited, { scope: 'openid', claims })).claims));
  });

  it('has the sid of the session: the same for a client, another for each client', async () => {
    const other = await registerOpenidClient(server);
    const agent = new UserAgent();
    const sidOf = async (application: Application) => {
      const request = { scope: 'openid' };
      const { parameters } = await application.authorize(request, { password: persona }, agent);
      const { json } = await application.redeem(parameters.get('code') ?? '');
      return (await verified(server, json.id_token, application)).sid;
    };
    const [first, again, another] = [await sidOf(app), await sidOf(app), await sidOf(other)];
    assert.equal(first, again);
    assert.notEqual(first, another);
  });

  it('has a pairwise subject: the same for the clients of a sector, another elsewhere', async () => {
    const pairwise = { subjectType: 'pairwise' } as const;
    const [one, two, three] = [
      await registerOpenidClient(server, pairwise),
      await registerOpenidClient(server, { ...pairwise, redirectUris: [`${redirectUri}/other`] }),
      await registerOpenidClient(server, { ...pairwise, redirectUris: ['https://other.example/cb'] }),
    ];
    const subjects = [];
    for (const each of [app, one, two, three]) subjects.push((await logIn(server, each)).claims.sub);
    assert.equal(subjects[1], subjects[2]);
    assert.equal(new Set(subjects).size, 3);
  });

  it('has another pairwise subject for an application that has the host of others in its private-use scheme', async () => {
    const { host } = new URL(redirectUri);
    const pairwise = await registerOpenidClient(server, { subjectType: 'pairwise' });
    const posing = await registerOpenidClient(server, {
      subjectType: 'pairwise',
      redirectUris: [`com.example.app://${host}/cb`],
    });
    const subjects = [pairwise, posing].map(async (each) => (await logIn(server, each)).claims.sub);
    assert.equal(new Set(await Promise.all(subjects)).size, 2);
  });

  it('of a client with pairwise subjects has the subject that introspection returns to the client, with the name only by profile, and to no API', async () => {
    const pairwise = await registerOpenidClient(server, { subjectType: 'pairwise' });
    const { tokens, claims } = await logIn(server, pairwise);
    const form = { token: tokens.access_token };
    const ofClient = await server.post('/oauth2/introspect', form, pairwise.credentials);
    const api = 'demo-resource-server:demo-resource-server-secret';
    const ofApi = await server.post('/oauth2/introspect', form, api);
    assert.equal(ofClient.json.sub, claims.sub);
    assert.equal(ofApi.json.sub, (await logIn(server, app)).claims.sub);
    assert.notEqual(ofApi.json.sub, claims.sub);
    assert.deepEqual([ofClient.json.username, ofApi.json.username], ['emma', 'emma']);
    const unnamed = await logIn(server, pairwise, { scope: 'openid email read' });
    const asked = { token: unnamed.tokens.access_token };
    const answer = await server.post('/oauth2/introspect', asked, pairwise.credentials);
    assert.deepEqual([answer.json.active, 'username' in answer.json], [true, false]);
  });

  it('has the claims of the scopes for a client that is registered so, after a refresh and in the implicit grant too', async () => {
    const registered = await registerOpenidClient(server, {
      openidScopes: ['profile', 'email', 'groups'],
      claimsInIdToken: true,
    });
    const scope = 'openid email groups';
    const { tokens, claims } = await logIn(server, registered, { scope });
    const facts = ({ email, groups, name }: JWTPayload) => [email, groups, name];
    const expected = ['emma@example.org', ['staff'], undefined];
    assert.deepEqual(facts(claims), expected);
    const { json } = await registered.refresh(tokens.refresh_token);
    assert.deepEqual(facts(await verified(server, json.id_token, registered)), expected);
    const implicit = await registerOpenidClient(server, {
      allowedImplicitGrant: true,
      confidential: false,
      openidScopes: ['email', 'groups'],
      claimsInIdToken: true,
    });
    const request = { response_type: 'id_token token', nonce: 'n', scope };
    const { parameters } = await implicit.authorize(request, { password: persona });
    const idToken = parameters.get('id_token') ?? '';
    assert.deepEqual(facts(await verified(server, idToken, implicit)), expected);
    const other = await logIn(server, await registerOpenidClient(server), { scope });
    assert.deepEqual(facts(other.claims), [undefined, undefined, undefined]);
  });
});

describe('an ID token, with settings of the operator', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({
      authenticator: anyPerson,
      'openid.claimsInIdToken': 'true',
      'openid.idTokenLifetime': '60',
      'openid.subjectFrom': 'givenName',
    });
    app = await registerOpenidClient(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('has the claims of the scopes in the code flow', async () => {
    const { claims } = await logIn(server, app, { scope: 'openid email' });
    assert.deepEqual(
      [claims.email, claims.email_verified, claims.name],
      ['emma@example.org', true, undefined],
    );
  });

  it('is valid for the time that is set', async () => {
    const { claims } = await logIn(server, app);
    assert.equal(Number(claims.exp) - Number(claims.iat), 60);
  });

  it('keeps the subject of an earlier server, for resource servers too', async () => {
    const { tokens, claims } = await logIn(server, app);
    assert.equal(claims.sub, 'Emma');
    const form = { token: tokens.access_token };
    const api = 'demo-resource-server:demo-resource-server-secret';
    const asked = await server.post('/oauth2/introspect', form, api);
    assert.equal(asked.json.sub, 'Emma');
  });

  // protocol/test/openid/openid-subjects.test.ts has it of the function.
  slowTest('has a subject of its own where the text of the earlier server cannot be one', async () => {
    await using spaced = await startServer({
      authenticator: anyPerson,
      'openid.subjectFrom': 'DISPLAY_NAME',
    });
    const { claims } = await logIn(spaced, await registerOpenidClient(spaced));
    assert.match(String(claims.sub), /^[\w-]{43}$/);
  });
});
