import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  basic,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { buildResourceServer, FakeClock, slowTest } from '@watchword/testkit';
import { CachedTokenBridge } from '../../src/runtime/bridge/cached-token-bridge.ts';

const secret = 'the-secret-of-the-bridge';
const until = '2999-01-01T00:00:00Z';

/** Another server at a port of this machine. */
async function listening(listener: RequestListener) {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Resource = AsyncDisposable;

describe('the bridge to another server', () => {
  const resources: Resource[] = [];
  const asked: { token: string | null; authorization: string | undefined }[] = [];
  let server: TestServer;
  let ask: (token: string) => Promise<{ status: number; json: Record<string, unknown> }>;
  /** What the old server answers about token info. */
  let answer: { status: number; body: unknown };

  before(async () => {
    const directory = await temporaryDirectory();
    const file = directory.file('secret');
    await writeFile(file, secret);
    // The contract of apis, with the Java types that it can write.
    const old = await listening((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      asked.push({ token: searchParams.get('access_token'), authorization: request.headers.authorization });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
    server = await startServer({
      'bridge.url': `${old.url}/v1/tokeninfo`,
      'bridge.protocol': 'tokenInfo',
      'bridge.until': until,
      'bridge.clientId': 'the-bridge',
      'bridge.secretFile': file,
      'outbound.privateHosts': 'localhost',
    });
    resources.push(server, old, directory);
    ask = (token) => server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer);
    await registerClient(server, { clientName: 'Course App', scopes: ['read'] });
  });
  after(async () => {
    for (const resource of resources) await resource[Symbol.asyncDispose]();
  });

  const info = {
    audience: 'Course App',
    scopes: ['java.util.ArrayList', ['read', 'unknown-here']],
    principal: [
      'org.surfnet.oaaas.auth.principal.AuthenticatedPrincipal',
      {
        name: 'emma',
        roles: ['java.util.ArrayList', ['teacher']],
        groups: ['java.util.ArrayList', []],
        adminPrincipal: true,
        attributes: ['java.util.HashMap', { EMAIL: 'emma@example.com' }],
      },
    ],
    expires_in: 4102444800000,
  };

  it('accepts a token that the old server knows, with the scopes that its client has here, and asks once', async () => {
    answer = { status: 200, body: info };
    asked.length = 0;
    const token = '6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a01';
    const { status, json } = await ask(token);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      audience: 'Course App',
      scopes: ['read'],
      principal: {
        name: 'emma',
        roles: ['teacher'],
        groups: [],
        adminPrincipal: false,
        attributes: { EMAIL: 'emma@example.com' },
      },
      expires_in: 4102444800000,
    });
    await ask(token);
    assert.deepEqual(asked, [{ token, authorization: basic(`the-bridge:${secret}`) }]);
    const introspection = await server.post('/oauth2/introspect', { token }, demoResourceServer);
    assert.deepEqual(introspection.json, {
      active: true,
      scope: 'read',
      client_id: 'course-app',
      username: 'emma',
      token_type: 'bearer',
      exp: 4102444800,
      aud: 'demo-resource-server',
    });
    assert.equal(asked.length, 1);
  });

  it('asks for nothing that this server can have issued', async () => {
    answer = { status: 200, body: info };
    asked.length = 0;
    const jwt = ['{"alg":"EdDSA"}', JSON.stringify({ iss: server.service.baseUrl }), 'x']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    for (const own of [
      `wwa_${'a'.repeat(70)}`,
      `wwr_${'a'.repeat(70)}`,
      'wws_secret-of-a-client',
      jwt,
      'short',
      'with\nbreak-in-it',
    ])
      assert.equal((await ask(own)).status, 404, own.slice(0, 4));
    assert.deepEqual(asked, []);
  });

  it('refuses a token of a client of another API, of no client here, of two of one name, and an expired one', async () => {
    answer = { status: 200, body: { ...info, audience: 'Somebody Else' } };
    assert.equal((await ask('token-of-somebody-else')).status, 404);
    await registerClient(server, { clientName: 'Twice' });
    await registerClient(server, { clientName: 'Twice' });
    answer = { status: 200, body: { ...info, audience: 'Twice' } };
    assert.equal((await ask('token-of-two-clients')).status, 404);
    answer = { status: 200, body: { ...info, expires_in: 1370080800000 } };
    assert.equal((await ask('token-that-has-expired')).status, 404);
  });

  it('says that a token is unknown where the old server does, and 503 where it gives no answer', async () => {
    for (const status of [404, 410]) {
      answer = { status, body: { error: 'not_found' } };
      assert.equal((await ask(`unknown-token-${status}`)).status, 404);
    }
    for (const [name, other] of [
      ['refused', { status: 401, body: {} }],
      ['broken', { status: 500, body: {} }],
      ['strange', { status: 200, body: { hello: 'world' } }],
    ] as const) {
      answer = other;
      const { status, json } = await ask(`token-${name}`);
      assert.deepEqual([status, json.error], [503, 'temporarily_unavailable']);
    }
    answer = { status: 200, body: info };
    assert.equal((await ask('token-refused')).status, 200);
  });

  it('refuses the tokens of a client whose tokens were all revoked here, and tells clients nothing', async () => {
    answer = { status: 200, body: { ...info, audience: 'Revoked App' } };
    const { client, credentials } = await registerClient(server, {
      clientName: 'Revoked App',
      scopes: ['read'],
    });
    const token = 'token-of-the-revoked-app';
    assert.equal((await ask(token)).status, 200);
    assert.deepEqual((await server.post('/oauth2/introspect', { token }, credentials)).json, {
      active: false,
    });
    await server.service.store.transact(({ clients }) => clients.revokeTokens(client.id, Date.now()));
    await server.service.store.registry.refresh();
    assert.equal((await ask(token)).status, 404);
  });
});

describe('the bridge to a server with introspection', () => {
  /** Holds that the token is accepted until the bridge has an end that is over. */
  async function untilItsEnd(url: string, secretFile: string, token: string): Promise<void> {
    for (const [end, expected] of [
      [until, true],
      ['2020-01-01T00:00:00Z', false],
    ] as const) {
      await using server = await startServer({
        'bridge.url': url,
        'bridge.clientId': 'the-bridge',
        'bridge.secretFile': secretFile,
        'bridge.until': end,
        'outbound.privateHosts': 'localhost',
      });
      await registerClient(server, { clientName: 'Course App', scopes: ['read'] });
      const { json } = await server.post('/oauth2/introspect', { token }, demoResourceServer);
      assert.equal(json.active, expected, `expected ${expected} with the end ${end}`);
      if (expected) assert.deepEqual([json.client_id, json.scope], ['course-app', 'read']);
    }
  }

  it('accepts the tokens that it calls active, until the time that ends it', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('secret');
    await writeFile(file, secret);
    const asked: unknown[] = [];
    await using old = await listening(async (request, response) => {
      const { method, headers } = request;
      asked.push([method, headers.authorization, headers['content-type'], await text(request)]);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ active: true, client_id: 'course-app', scope: 'read' }));
    });
    await untilItsEnd(`${old.url}/introspect`, file, 'token-of-the-old-server');
    const form = 'application/x-www-form-urlencoded';
    const body = 'token=token-of-the-old-server';
    assert.deepEqual(asked, [['POST', basic(`the-bridge:${secret}`), form, body]]);
  });

  slowTest('accepts the tokens of oidc-provider until the time that ends it', async () => {
    const { Provider } = await import('oidc-provider');
    await using directory = await temporaryDirectory();
    const file = directory.file('secret');
    await writeFile(file, secret);
    let handle: RequestListener = () => {};
    await using old = await listening((request, response) => handle(request, response));
    const grants = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
    const provider = new Provider(old.url, {
      clients: [
        { client_id: 'course-app', client_secret: 'a-secret', scope: 'read', ...grants },
        { client_id: 'the-bridge', client_secret: secret, ...grants },
      ],
      scopes: ['read'],
      features: {
        clientCredentials: { enabled: true },
        introspection: { enabled: true, allowedPolicy: () => true },
      },
    });
    handle = provider.callback();
    const issued = await fetch(`${old.url}/token`, {
      method: 'POST',
      headers: { authorization: basic('course-app:a-secret') },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' }),
    });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    await untilItsEnd(`${old.url}/token/introspection`, file, token);
  });

  it('does not begin without an end, credentials, or https', async () => {
    const url = { 'bridge.url': 'https://old.example.com/introspect' };
    for (const [settings, expected] of [
      [url, /bridge\.until.*bridge\.url needs it/],
      [{ ...url, 'bridge.until': until }, /bridge\.clientId/],
      [{ ...url, 'bridge.until': until, 'bridge.clientId': 'x' }, /bridge\.secretFile/],
    ] as const) {
      await assert.rejects(startServer(settings), expected);
    }
  });
});

describe('the cache of the bridge', () => {
  it('asks nothing for a second after five failures, and then one request at a time', async () => {
    let now = 1000;
    let answers: 'error' | 'unknown' | Promise<undefined> = 'error';
    const asked: string[] = [];
    const bridge = new CachedTokenBridge({
      async ask(value) {
        asked.push(value);
        if (answers === 'error') throw new Error('expected status 200, got 500');
        return answers === 'unknown' ? undefined : answers;
      },
      ...{
        until: Date.parse(until),
        cacheSeconds: 60,
        issuer: 'https://id.example.com',
        clock: new FakeClock(),
      },
      logger: { warn: () => {} },
      findClient: async () => undefined,
      now: () => now,
    });
    const caller = buildResourceServer();
    const find = (value: string) => bridge.find(value, caller).then(String, ({ kind }) => kind);
    for (let count = 0; count < 5; count += 1)
      assert.equal(await find(`failing-${count}`), 'temporarily_unavailable');
    assert.equal(await find('during-the-pause'), 'temporarily_unavailable');
    assert.equal(asked.length, 5);
    now += 1000;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    answers = promise;
    const [first, second] = [find('the-first-again'), find('one-beside-it')];
    assert.equal(await second, 'temporarily_unavailable');
    resolve(undefined);
    assert.equal(await first, 'undefined');
    answers = 'unknown';
    assert.deepEqual(await Promise.all([find('two-more-of-them'), find('at-the-same-time')]), [
      'undefined',
      'undefined',
    ]);
    await find('two-more-of-them');
    assert.deepEqual(asked.slice(5), ['the-first-again', 'two-more-of-them', 'at-the-same-time']);
  });
});
