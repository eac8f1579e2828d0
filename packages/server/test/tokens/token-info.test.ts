import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { clientAdministration, systemCaller } from '@watchword/administration';
import { accessTokenFormats, clientsInMemory, newAccessToken, UserClaims } from '@watchword/protocol';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import {
  type Answer,
  basic,
  demoClient,
  demoResourceServer,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { testSigner } from '@watchword/testkit';
import { systemClock, systemRandom } from '../../src/system.ts';
import { assertError } from '../support/error-answers.ts';

const info = (server: TestServer, token: string, credentials = demoResourceServer) =>
  server.get(`/v1/tokeninfo?access_token=${encodeURIComponent(token)}`, {
    authorization: basic(credentials),
  });

/** A token that does not expire. */
async function eternalToken(server: TestServer): Promise<string> {
  const { credentials } = await registerClient(server, { clientName: 'Eternal Job' });
  const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
  return answer.json.access_token;
}

const expected = {
  audience: 'Eternal Job',
  scopes: ['read'],
  principal: { name: 'eternal-job', roles: [], groups: [], adminPrincipal: false, attributes: {} },
  expires_in: 0,
};

describe('/v1/tokeninfo', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ 'failedAttempts.perIdentifier': '0', 'failedAttempts.perAddress': '0' });
  });
  after(() => server[Symbol.asyncDispose]());

  it('returns the resource owner of a token, with exactly the keys of the contract, to GET and to POST', async () => {
    const token = await eternalToken(server);
    const answer = await info(server, token);
    assert.equal(answer.status, 200);
    assert.equal(answer.text, JSON.stringify(expected));
    const posted = await server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer);
    assert.equal(posted.text, answer.text);
  });

  it('names the key to which a token is bound, as introspection does', async () => {
    const { store } = server.service;
    const { client } = await registerClient(server);
    const confirmation = { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' };
    const request = { client, scopes: ['read'], confirmation };
    const { registry } = store;
    const formats = accessTokenFormats({
      ...store,
      clients: clientsInMemory(registry),
      issuer: server.service.baseUrl,
      random: systemRandom,
      signer: testSigner(),
      userClaims: new UserClaims({}),
      publicSubject: ({ subject }) => subject,
      nearsLongest: () => {},
    });
    const made = await newAccessToken(request, {
      accessTokenFormats: formats,
      clock: systemClock,
      registry,
    });
    await store.accessTokens.insert(made.accessToken);
    const token = made.accessTokenValue;
    assert.deepEqual((await info(server, token)).json.cnf, confirmation);
    const introspected = (await server.post('/oauth2/introspect', { token }, demoResourceServer)).json;
    assert.deepEqual([introspected.cnf, introspected.token_type], [confirmation, 'DPoP']);
  });

  it('returns the absolute expiry in epoch milliseconds', async () => {
    const { credentials } = await registerClient(server, { expireDuration: 3600 });
    const before = Date.now();
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const { expires_in } = (await info(server, issued.json.access_token)).json;
    assert.ok(expires_in >= before + 3_600_000 && expires_in <= Date.now() + 3_600_000, String(expires_in));
  });

  it('is neither cached nor readable by scripts of other origins, and sets no cookie', async () => {
    const answer = await info(server, await server.issueToken());
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.equal(answer.headers.get('set-cookie'), null);
  });

  it('answers all bad credentials the same way, for a valid token and for a malformed one', async () => {
    const token = await server.issueToken();
    const answers: Answer[] = [];
    for (const presented of [token, 'garbage']) {
      for (const header of [
        basic('demo-resource-server:wrong'),
        basic('unknown:secret'),
        basic(demoClient),
        'Basic',
        'Basic !!',
        `Bearer ${token}`,
      ]) {
        answers.push(await server.get(`/v1/tokeninfo?access_token=${presented}`, { authorization: header }));
      }
    }
    for (const answer of answers) {
      assertError(answer, 401, 'invalid_client');
      assert.equal(answer.text, answers[0]?.text);
    }
  });

  it('shows a caller without credentials how to send them, for a valid token and for a malformed one', async () => {
    for (const presented of [await server.issueToken(), 'garbage']) {
      const answer = await server.get(`/v1/tokeninfo?access_token=${presented}`);
      assertError(answer, 401, 'invalid_client');
      assert.match(answer.json.error_description, /has no credentials; send key and secret .* HTTP Basic/);
    }
  });

  it('asks for credentials before it reports a missing token or an unreadable body', async () => {
    assertError(await server.get('/v1/tokeninfo'), 401, 'invalid_client');
    const json = await fetch(`${server.baseUrl}/v1/tokeninfo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assertError(await readAnswer(json), 401, 'invalid_client');
  });

  it('rejects a missing, empty, repeated or badly encoded token as invalid_request', async () => {
    const authorization = basic(demoResourceServer);
    for (const query of [
      '',
      '?access_token=',
      '?access_token',
      '?access_token=a&access_token=b',
      '?access_token=%00',
      '?access_token=%zz',
      '?access_token=%FF',
      '?other=x',
    ]) {
      assertError(await server.get(`/v1/tokeninfo${query}`, { authorization }), 400, 'invalid_request');
    }
    assertError(await server.post('/v1/tokeninfo', {}, demoResourceServer), 400, 'invalid_request');
    const inQuery = await server.post('/v1/tokeninfo?access_token=x', {}, demoResourceServer);
    assertError(inQuery, 400, 'invalid_request');
  });

  it('answers unknown, revoked, foreign and malformed tokens with the same 404, bytes and headers', async () => {
    const other = await registerResourceServer(server, 'Other API');
    const foreignClient = await registerClient(server, {}, other.resourceServer.key);
    const grant = { grant_type: 'client_credentials' };
    const foreign = (await server.post('/oauth2/token', grant, foreignClient.credentials)).json.access_token;
    const revoked = await server.issueToken();
    await server.post('/oauth2/revoke', { token: revoked }, demoClient);
    const live = await server.issueToken();
    const wrongVerifier = live.slice(0, 30) + (live[30] === 'A' ? 'B' : 'A') + live.slice(31);
    const answers = [];
    for (const token of [
      foreign,
      revoked,
      wrongVerifier,
      'garbage',
      `wwa_${'A'.repeat(70)}`,
      'a'.repeat(5000),
      'a&b',
      `' OR 1=1 --`,
    ]) {
      answers.push(await info(server, token));
    }
    const tenKilobytes = await server.post(
      '/v1/tokeninfo',
      { access_token: 'x'.repeat(10_000) },
      demoResourceServer,
    );
    for (const answer of [...answers, tenKilobytes]) {
      assertError(answer, 404, 'not_found');
      assert.equal(answer.text, answers[0]?.text);
      assert.deepEqual([...answer.headers.keys()], [...(answers[0]?.headers.keys() ?? [])]);
    }
    assert.equal((await info(server, foreign, other.credentials)).status, 200);
  });

  it('answers an expired token with 410 to its own resource server and 404 to any other', async (t) => {
    const other = await registerResourceServer(server, 'Curious API');
    const { credentials } = await registerClient(server, { expireDuration: 60 });
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const token = issued.json.access_token;
    const now = Date.now();
    t.after(() => mock.restoreAll());
    mock.method(Date, 'now', () => now + 61_000);
    assertError(await info(server, token), 410, 'token_expired');
    assertError(await info(server, token, other.credentials), 404, 'not_found');
    const introspected = await server.post('/oauth2/introspect', { token }, demoResourceServer);
    assert.equal(introspected.text, '{"active":false}');
  });

  it('answers 404 immediately after the client is deleted or all its tokens are revoked', async () => {
    const { store } = server.service;
    const admin = clientAdministration({ ...store, clock: systemClock, random: systemRandom });
    for (const revoke of [admin.delete, admin.revokeTokens]) {
      const { client, credentials } = await registerClient(server);
      const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
      assert.equal((await info(server, issued.json.access_token)).status, 200);
      await revoke(systemCaller, client);
      await store.refreshRegistry();
      assertError(await info(server, issued.json.access_token), 404, 'not_found');
    }
  });

  it('answers no PUT and no DELETE', async () => {
    const answer = await readAnswer(await fetch(`${server.baseUrl}/v1/tokeninfo`, { method: 'PUT' }));
    assertError(answer, 405, 'invalid_request');
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST');
  });
});

it('wraps every object and list with its Java type when adminService.jsonTypeInfoIncluded is set', async () => {
  await using server = await startServer({ 'adminService.jsonTypeInfoIncluded': 'true' });
  const answer = await info(server, await eternalToken(server));
  const list = (...values: string[]) => ['java.util.ArrayList', values];
  assert.deepEqual(answer.json, [
    'org.surfnet.oaaas.model.VerifyTokenResponse',
    {
      audience: 'Eternal Job',
      scopes: list('read'),
      principal: [
        'org.surfnet.oaaas.auth.principal.AuthenticatedPrincipal',
        {
          name: 'eternal-job',
          roles: list(),
          groups: list(),
          adminPrincipal: false,
          attributes: ['java.util.HashMap', {}],
        },
      ],
      expires_in: 0,
    },
  ]);
});
