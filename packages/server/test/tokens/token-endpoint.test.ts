import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { watchword } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  anApi,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import {
  basic,
  demoClient,
  demoResourceServer,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

const grant = { grant_type: 'client_credentials' };

describe('POST /oauth2/token with client_credentials', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());
  const request = (form: Record<string, string> | string, credentials?: string) =>
    server.post('/oauth2/token', form, credentials);

  it('issues a bearer token with the fields and headers of the contract', async () => {
    const answer = await request(grant, demoClient);
    assert.equal(answer.status, 200);
    const { access_token, ...rest } = answer.json;
    assert.match(access_token, /^wwa_[A-Za-z0-9_-]{70}$/);
    assert.deepEqual(rest, { token_type: 'bearer', scope: 'read', expires_in: 3600 });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('pragma'), 'no-cache');
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(answer.headers.get('set-cookie'), null);
  });

  it('returns the lifetime of a token in seconds when the client has an expiry', async () => {
    const { credentials } = await registerClient(server, { expireDuration: 3600 });
    assert.equal((await request(grant, credentials)).json.expires_in, 3600);
  });

  it('has expires_in 0 for a token that does not expire, or none where the server is set so', async () => {
    await using omitting = await startServer({ 'token.omitZeroExpiresIn': 'true' });
    for (const [at, expected] of [
      [server, { token_type: 'bearer', scope: 'read', expires_in: 0 }],
      [omitting, { token_type: 'bearer', scope: 'read' }],
    ] as const) {
      const { credentials } = await registerClient(at, { expireDuration: 0 });
      const { access_token, ...rest } = (await at.post('/oauth2/token', grant, credentials)).json;
      assert.deepEqual(rest, expected);
      const info = await at.post('/v1/tokeninfo', { access_token }, demoResourceServer);
      assert.equal(info.json.expires_in, 0, 'token info always has it');
      const limited = (await at.post('/oauth2/token', grant, demoClient)).json;
      assert.equal(limited.expires_in, 3600);
    }
  });

  it('names the lifetime of an implicit token of a client without expiry', async () => {
    await using omitting = await startServer({ 'token.omitZeroExpiresIn': 'true' });
    const app = await registerApplication(omitting, { allowedImplicitGrant: true, expireDuration: 0 });
    const { parameters } = await app.authorize({ response_type: 'token' });
    assert.equal(parameters.get('expires_in'), '3600');
  });

  it('accepts client_id and client_secret in the body instead of HTTP Basic', async () => {
    const body = { ...grant, client_id: 'demo-service', client_secret: 'demo-service-secret' };
    assert.equal((await request(body)).status, 200);
  });

  it('accepts no other method than the registered one, as revocation and introspection', async () => {
    const tokenEndpointAuthMethod = 'client_secret_post';
    const { client, secret, credentials } = await registerClient(server, {
      allowedClientCredentials: true,
      tokenEndpointAuthMethod,
    });
    const alone = { client_id: client.clientId };
    const post = { ...alone, client_secret: secret ?? '' };
    const token = 'wwa_unknown';
    for (const [path, form] of [
      ['/oauth2/token', grant],
      ['/oauth2/revoke', { token }],
      ['/oauth2/introspect', { token }],
    ] as const) {
      assert.equal((await server.post(path, { ...form, ...post })).status, 200, path);
      assertError(await server.post(path, form, credentials), 401, 'invalid_client');
      assertError(await server.post(path, { ...form, ...alone }), 401, 'invalid_client');
    }
  });

  it('accepts the same client_id in the body beside HTTP Basic', async () => {
    assert.equal((await request({ ...grant, client_id: 'demo-service' }, demoClient)).status, 200);
  });

  it('grants all scopes of the client when none is requested, else the requested ones', async () => {
    const { credentials } = await registerClient(server, { scopes: ['read', 'write'] });
    assert.equal((await request(grant, credentials)).json.scope, 'read write');
    assert.equal((await request({ ...grant, scope: '' }, credentials)).json.scope, 'read write');
    assert.equal((await request({ ...grant, scope: 'write' }, credentials)).json.scope, 'write');
    assert.equal((await request({ ...grant, scope: 'write read' }, credentials)).json.scope, 'write read');
    assert.equal((await request({ ...grant, scope: ' read  write' }, credentials)).json.scope, 'read write');
  });

  const badScopes = ['write', 'read write', 'READ', 'read,write', ' ', 'a"b', 'a\\b', 'é'];
  for (const scope of [...badScopes, Array.from({ length: 1000 }, (_, i) => `s${i}`).join(' ')]) {
    it(`rejects the scope ${JSON.stringify(scope.slice(0, 20))} as invalid_scope`, async () => {
      assertError(await request({ ...grant, scope }, demoClient), 400, 'invalid_scope');
    });
  }

  it('rejects a wrong secret, by Basic and by body, and an unknown client with the same answer', async () => {
    const wrongBasic = await request(grant, 'demo-service:wrong');
    const wrongBody = await request({ ...grant, client_id: 'demo-service', client_secret: 'wrong' });
    const unknown = await request(grant, 'nobody:wrong');
    for (const answer of [wrongBasic, wrongBody, unknown]) {
      assertError(answer, 401, 'invalid_client');
      assert.equal(answer.text, wrongBasic.text);
    }
    assert.deepEqual(headersOf(unknown), headersOf(wrongBasic));
  });

  it('shows a client without credentials how to send them', async () => {
    const answer = await request(grant);
    assertError(answer, 401, 'invalid_client');
    assert.match(answer.json.error_description, /has no client credentials; send clientId and secret/);
  });

  it('rejects a client_id without a secret, of a confidential and of an unknown client, with the same bytes', async () => {
    const confidential = await request({ ...grant, client_id: 'demo-service' });
    assertError(confidential, 401, 'invalid_client');
    const wrong = await request(grant, 'demo-service:wrong');
    for (const answer of [confidential, await request({ ...grant, client_id: 'nobody' })]) {
      assert.equal(answer.text, wrong.text);
    }
    assertError(
      await request({ ...grant, client_id: 'demo-service', client_secret: '' }),
      401,
      'invalid_client',
    );
  });

  it('rejects more than one method of authentication as invalid_request', async () => {
    const both = { ...grant, client_id: 'demo-service', client_secret: 'demo-service-secret' };
    assertError(await request(both, demoClient), 400, 'invalid_request');
  });

  it('rejects a client_id in the body that is not the one of HTTP Basic', async () => {
    const other = await registerClient(server);
    const body = { ...grant, client_id: other.client.clientId };
    assertError(await request(body, demoClient), 400, 'invalid_request');
  });

  const authorization = async (header: string) =>
    readAnswer(
      await fetch(`${server.baseUrl}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: header },
        body: new URLSearchParams(grant),
      }),
    );
  it('reads the scheme name of HTTP Basic in upper and lower case', async () => {
    assert.equal((await authorization(basic(demoClient).replace('Basic', 'bAsIc'))).status, 200);
  });
  for (const header of [
    'Basic',
    'Basic ',
    'Basic !!!!',
    'Basic Og==',
    basic('demo-service'),
    basic(':demo-service-secret'),
    basic('demo-service:'),
    basic('demo-service:%zz'),
    basic('demo-service:demo-service-secret\0'),
    `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`,
    basic(demoClient).replace('Basic', 'Bearer'),
    basic(demoClient).replace('Basic', 'Xyzab'),
    `${basic(demoClient)} trailing`,
  ]) {
    it(`rejects the Authorization header ${JSON.stringify(header)}`, async () => {
      assertError(await authorization(header), 401, 'invalid_client');
    });
  }

  it('reads form-urlencoded identifiers and secrets within HTTP Basic', async () => {
    assert.equal((await authorization(basic('demo%2Dservice:demo%2Dservice%2Dsecret'))).status, 200);
  });

  it('rejects a client without the right to the grant, and a public one, as unauthorized_client', async () => {
    const without = await registerClient(server, { allowedClientCredentials: false });
    assertError(await request(grant, without.credentials), 400, 'unauthorized_client');
    const open = await registerClient(server, {
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      redirectUris: ['https://app.example/cb'],
    });
    assert.equal(open.secret, undefined);
    assertError(await request({ ...grant, client_id: open.client.clientId }), 400, 'unauthorized_client');
  });

  it('rejects an unknown grant type, and names a missing or empty one', async () => {
    for (const type of ['password', 'authorization-code', 'CLIENT_CREDENTIALS', '__proto__', 'constructor']) {
      assertError(await request({ grant_type: type }, demoClient), 400, 'unsupported_grant_type');
    }
    assertError(await request({}, demoClient), 400, 'invalid_request');
    assertError(await request({ grant_type: '' }, demoClient), 400, 'invalid_request');
  });

  it('authenticates the client before it checks anything else', async () => {
    assertError(
      await request({ grant_type: 'nonsense', scope: '"' }, 'demo-service:wrong'),
      401,
      'invalid_client',
    );
  });

  it('rejects a repeated parameter that it knows', async () => {
    for (const body of [
      'grant_type=client_credentials&grant_type=client_credentials',
      'grant_type=client_credentials&scope=read&scope=read',
      'grant_type=client_credentials&state=1&state=1',
      'grant_type=client_credentials&scope=&scope=read',
    ]) {
      assertError(await request(body, demoClient), 400, 'invalid_request');
    }
  });

  it('rejects invalid percent-encoding, UTF-8 and NUL in any parameter', async () => {
    for (const value of ['%zz', '%', '%F', '%FF', '%C0%AF', '%ED%A0%80', '%00', 'a\0b']) {
      assertError(
        await request(`grant_type=client_credentials&x=${value}`, demoClient),
        400,
        'invalid_request',
      );
      assertError(
        await request(`grant_type=client_credentials&${value}=x`, demoClient),
        400,
        'invalid_request',
      );
    }
  });

  it('ignores unknown parameters of any name and number', async () => {
    const repeated = 'audience=a&audience=b&foo=1&foo=1&foo=2';
    assert.equal((await request(`grant_type=client_credentials&${repeated}`, demoClient)).status, 200);
    const odd = 'client_id%5B%5D=x&a%5Bb%5D%5Bc%5D=1&__proto__%5Bx%5D=1&constructor=1&toString=1&=1&&flag';
    assert.equal((await request(`grant_type=client_credentials&${odd}`, demoClient)).status, 200);
  });

  it('rejects ten thousand parameters and a body over 64 KiB', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `p${index}=`).join('&');
    assert.ok([400, 413].includes((await request(many, demoClient)).status));
    const fits = `grant_type=client_credentials&x=${'a'.repeat(64 * 1024 - 100)}`;
    assert.equal((await request(fits, demoClient)).status, 200);
    assertError(await request(`${fits}${'a'.repeat(200)}`, demoClient), 413, 'invalid_request');
  });

  it('rejects a body that is not form-urlencoded UTF-8', async () => {
    for (const type of [
      'application/json',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/x-www-form-urlencoded; charset=utf-16',
      '',
    ]) {
      const response = await fetch(`${server.baseUrl}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: basic(demoClient), 'content-type': type },
        body: 'grant_type=client_credentials',
      });
      assertError(await readAnswer(response), 415, 'invalid_request');
    }
    const utf8 = await fetch(`${server.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: basic(demoClient),
        'content-type': 'Application/X-WWW-Form-Urlencoded; Charset=UTF-8',
      },
      body: 'grant_type=client_credentials',
    });
    assert.equal(utf8.status, 200);
  });

  it('never reads parameters of the query', async () => {
    const answer = await server.post('/oauth2/token?grant_type=client_credentials', {}, demoClient);
    assertError(answer, 400, 'invalid_request');
    const secretInQuery = '/oauth2/token?client_id=demo-service&client_secret=demo-service-secret';
    assertError(await server.post(secretInQuery, grant), 401, 'invalid_client');
  });

  it('answers any other method with 405 and Allow', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const answer = await readAnswer(await fetch(`${server.baseUrl}/oauth2/token`, { method }));
      assertError(answer, 405, 'invalid_request');
      assert.equal(answer.headers.get('allow'), 'POST, OPTIONS');
    }
    const overridden = await fetch(`${server.baseUrl}/oauth2/token`, {
      method: 'GET',
      headers: { 'x-http-method-override': 'POST' },
    });
    assert.equal(overridden.status, 405);
  });
});

describe('the setting that permits commas between scopes', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration({ 'scope.commaSeparated': 'true' });
  });
  after(() => server[Symbol.asyncDispose]());

  it('lets the server read scopes that commas separate', async () => {
    const { credentials } = await registerClient(server, { scopes: ['read', 'write'] });
    const answer = await server.post('/oauth2/token', { ...grant, scope: 'read,write' }, credentials);
    assert.equal(answer.json.scope, 'read write');
    const implicit = await registerApplication(server, { allowedImplicitGrant: true });
    const request = { response_type: 'token', scope: 'read,write' };
    const { parameters } = await implicit.authorize(request, { username: 'emma', password: '{}' });
    assert.equal(parameters.get('scope'), 'read write');
  });

  it('rejects the registration of a scope with a comma, over REST and at the command line', async () => {
    const root = await server.administrator();
    const refused = await root.call('POST', '/admin/resourceServer', { ...anApi, scopes: ['read,write'] });
    assert.equal(refused.status, 400);
    assert.match(
      refused.json.violations.join(),
      /^scopes: "read,write" has a comma, .*scope\.commaSeparated/,
    );
    const create = ['resource-server', 'create', '--name', 'X', '--scope', 'read,write'];
    const env = { WATCHWORD_SCOPE_COMMA_SEPARATED: 'true' };
    const { code, stderr } = await watchword([...create, '--database', server.database], { env });
    assert.equal(code, 1);
    assert.match(stderr, /scopes: "read,write" has a comma/);
  });
});

function headersOf({ headers }: { headers: Headers }): Record<string, string> {
  const { date, 'x-request-id': id, ...rest } = Object.fromEntries(headers);
  assert.ok(id);
  return rest;
}
