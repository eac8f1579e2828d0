import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { variants } from '@watchword/testkit';
import { version } from '../../src/version.ts';
import { rawRequest } from '../support/raw-http.ts';

const pattern = /^[0-9a-f]{10}-[0-9a-z]+$/;
const chunked = 'Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n';

/** The line of the log for a request. */
function lineOf(server: TestServer, id: string) {
  const lines = server.log().split('\n');
  const line = lines.find((each) => each.includes(`"requestId":"${id}"`) && each.includes('"msg":"answered'));
  return JSON.parse(line ?? assert.fail(`no line for ${id}`));
}

describe('the id of a request', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const answered = new Set<string>();

  function idOf(headers: Headers, what: string): string {
    const id = headers.get('x-request-id') ?? '';
    assert.match(id, pattern, what);
    answered.add(id);
    return id;
  }

  it('is in each answer of every endpoint, and on every error page as text', async () => {
    const { endpoints } = server.service;
    assert.ok(endpoints.length > 60);
    for (const { path, methods } of endpoints) {
      const own = Object.keys(methods);
      for (const [method, accept] of [
        ...own.map((each) => [each, 'text/html'] as const),
        // Other answers of an address have their ids from the same place.
        ...variants(0, [[own[0] ?? '', 'application/json'] as const, ['PROPFIND', 'text/html'] as const]),
      ]) {
        const what = `${method} ${path} ${accept}`;
        const answer = await fetch(`${server.baseUrl}${path.replaceAll(/:\w+/g, '1')}?scope=x`, {
          method,
          headers: { accept },
          redirect: 'manual',
          ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: 'no form' }),
        });
        const body = await answer.text();
        const id = idOf(answer.headers, what);
        if (answer.status >= 400 && /html/.test(answer.headers.get('content-type') ?? ''))
          assert.ok(body.includes(id), what);
      }
    }
  });

  it('is in the answer for an unknown address, in words on its page', async () => {
    const page = await server.get('/nothing', { accept: 'text/html' });
    assert.ok(page.text.includes(idOf(page.headers, 'page')));
    idOf((await server.get('/nothing')).headers, 'JSON');
  });

  it('is in a redirect that takes an error to a client, and not in the address that the client reads', async () => {
    const { client } = await registerApplication(server);
    const query = `response_type=code&client_id=${client.clientId}&prompt=none`;
    const answer = await fetch(`${server.baseUrl}/authorize?${query}`, { redirect: 'manual' });
    assert.equal(answer.status, 303);
    const location = answer.headers.get('location') ?? '';
    assert.match(location, /error=login_required/);
    const id = idOf(answer.headers, 'redirect');
    assert.ok(!location.includes(id));
    assert.equal(lineOf(server, id).rule, 'user_login');
  });

  it('is no id of a client where no proxy is trusted', async () => {
    idOf((await server.get('/healthz', { 'x-request-id': 'id-1' })).headers, 'healthz');
  });

  it('is readable for a script of an allowed origin', async () => {
    const answer = await server.get('/oauth2/userinfo', { origin: 'http://127.0.0.1:1' });
    idOf(answer.headers, 'userinfo');
    const metadata = await server.get('/.well-known/openid-configuration', { origin: 'https://app.example' });
    assert.match(metadata.headers.get('access-control-expose-headers') ?? '', /^x-request-id, /);
  });

  for (const [name, bytes, status] of [
    ['no valid HTTP', 'NONSENSE\r\n\r\n', 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(150_000)}\r\n\r\n`, 431],
    [
      'an unknown expectation',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
      200,
    ],
    ['chunks that are none', `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\n${chunked}x\r\n\r\n`, 400],
  ] as const) {
    it(`is in the answer to a connection that sends ${name}`, async () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(bytes);
      const answer = await text(socket);
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
      idOf(new Headers({ 'x-request-id': /^x-request-id: (\S+)\r$/m.exec(answer)?.[1] ?? '' }), name);
    });
  }

  it('is in the log, and is of one request', () => {
    const logged = [...server.log().matchAll(/"requestId":"([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      [...answered].filter((id) => !logged.includes(id)),
      [],
    );
    assert.ok(answered.size > 200);
  });

  it('is beside the host name of the machine in a line of the log, the node by default', async () => {
    assert.equal(lineOf(server, idOf((await server.get('/healthz')).headers, 'probe')).node, hostname());
  });
});

describe('the id that a proxy gives a request', () => {
  const ids = [
    'f3b1c0a9e1d94d6aa0c5b0a3a2d5a1c4',
    '6f2d9a10-3c7e-4b7e-9d43-0a4f5d0c2f11',
    '7F000001:D6E0_7F000001:1F90_65A1B2C3_0001:1A2B',
    'Root=1-67891233-abcdef012345678912345678',
    'a/b+c==',
    'x'.repeat(128),
  ];
  const ask = (server: TestServer, id: string, path = '/oauth2/token') =>
    server.get(path, { 'x-request-id': id });

  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration({ trustedProxies: '127.0.0.0/8,::1' });
  });
  after(() => server[Symbol.asyncDispose]());

  it('is that of its answer, its log line, its error page and its explanation if the proxy is trusted', async () => {
    const root = await server.administrator();
    for (const id of ids) {
      const { headers } = await ask(server, id);
      assert.equal(headers.get('x-request-id'), id);
      assert.equal(lineOf(server, id).status, 405);
      const page = await ask(server, id, '/authorize?client_id=nobody');
      assert.ok(page.text.includes(`<code>${id}</code>`));
      const { json } = await root.get(`/admin/requestError/${encodeURIComponent(id)}`);
      assert.deepEqual([json.requestId, json.endpoint], [id, '/authorize']);
    }
  });

  it('is also that of an answer by node:http', async () => {
    const { headers } = await server.get('/healthz', { 'x-request-id': 'id-1', x_y: 'z' });
    assert.equal(headers.get('x-request-id'), 'id-1');
  });

  it('is not kept if it can be none', async () => {
    for (const id of ['', 'x'.repeat(129), 'a b', 'a"b', 'a\\b', '<b>', 'é', 'a,b', 'a;b', "a'b"]) {
      assert.match((await ask(server, id)).headers.get('x-request-id') ?? '', pattern, id);
    }
    for (const more of ['x-request-id: a\r\nx-request-id: b', 'x-request-id:']) {
      const answer = await rawRequest(
        server.port,
        `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n\r\n`,
      );
      assert.match(/^x-request-id: (\S+)\r$/m.exec(answer)?.[1] ?? '', pattern, more);
    }
  });

  it('is not kept from any other address', async () => {
    await using other = await startServer({ trustedProxies: '192.0.2.1,10.0.0.0/8' });
    assert.match((await ask(other, 'id-1')).headers.get('x-request-id') ?? '', pattern);
  });
});

describe('a line of the log', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      'log.node': 'node-7',
      'log.probes': 'false',
      'metrics.token': 'm'.repeat(32),
    });
  });
  after(() => server[Symbol.asyncDispose]());

  it('has node and version, and for a refusal its rule', async () => {
    const form = { grant_type: 'client_credentials' };
    const { headers } = await server.post('/oauth2/token', form, 'demo-service:wrong');
    const line = lineOf(server, headers.get('x-request-id') ?? '');
    assert.deepEqual([line.error, line.rule], ['invalid_client', 'client_secret']);
    const page = await server.get('/authorize?response_type=code&client_id=nobody');
    assert.equal(lineOf(server, page.headers.get('x-request-id') ?? '').rule, 'registered_client');
    const fine = lineOf(server, (await server.get('/')).headers.get('x-request-id') ?? '');
    assert.ok(!('rule' in fine));
    for (const each of server
      .log()
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))) {
      assert.deepEqual([each.node, each.version], ['node-7', version]);
    }
  });

  it('is left out for probes by a setting, if they get no error', async () => {
    const before = server.log().length;
    const routes = () =>
      [
        ...server
          .log()
          .slice(before)
          .matchAll(/"route":"([^"]+)"/g),
      ].map(([, route]) => route);
    for (const path of ['/healthz', '/readyz']) assert.equal((await server.get(path)).status, 200);
    assert.equal((await server.get('/metrics', { authorization: `Bearer ${'m'.repeat(32)}` })).status, 200);
    assert.equal((await server.get('/metrics')).status, 401);
    assert.equal((await server.get('/')).status, 200);
    assert.deepEqual(routes(), ['/metrics', '/']);
  });
});
