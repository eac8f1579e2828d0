import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  basic,
  demoClient,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { varying } from '../../src/http/answer.ts';
import { assertError } from '../support/error-answers.ts';
import { parseRaw, rawRequest } from '../support/raw-http.ts';

describe('the HTTP layer', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ 'http.requestTimeout': '1' });
  });
  after(() => server[Symbol.asyncDispose]());
  const raw = async (...parts: (string | Buffer)[]) => parseRaw(await rawRequest(server.port, ...parts));
  const token = 'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

  it('rejects a URI over 8 KiB with 414, for token info over 15 KiB, and headers over 16 KiB with 431', async () => {
    for (const long of [
      `/userinfo?x=${'a'.repeat(9000)}`,
      `/v1/tokeninfo?access_token=${'a'.repeat(15_400)}`,
    ])
      assertError(await server.get(long), 414, 'invalid_request');
    const { status, body } = await raw(
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`,
    );
    assert.equal(status, 431);
    assert.equal(body.error, 'invalid_request');
  });

  it('accepts a longer URI for an authorization request, and more bytes in all cookies than in other headers', async () => {
    const authorize = (length: number) => server.get(`/authorize?x=${'a'.repeat(length)}`);
    for (const path of ['/authorize', '/oauth2/authorize']) {
      assert.equal((await server.get(`${path}?x=${'a'.repeat(36_000)}`)).status, 400);
    }
    const long = await authorize(37_000);
    assert.equal(long.status, 414);
    assert.match(long.headers.get('content-type') ?? '', /^text\/html/);
    const cookies = (length: number) =>
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nCookie: a=${'a'.repeat(length)}\r\n`;
    assert.equal((await raw(`${cookies(20_000)}Connection: close\r\n\r\n`)).status, 200);
    const { status, head } = await raw(`${cookies(21_000)}\r\n`);
    assert.equal(status, 431);
    assert.match(head, /connection: close/i);
    assert.equal((await raw(`${cookies(40_000)}X: ${'a'.repeat(40_000)}\r\n\r\n`)).status, 431);
  });

  it('removes at most twenty of too many cookies, and none for a request that is not for a page', async () => {
    const waiting = (each: number) => `watchword_waiting_${randomUUID()}=${each}`;
    const cookies = Array.from({ length: 1300 }, (_, each) => waiting(each)).join('; ');
    for (const [path, removed] of [
      ['/authorize', 20],
      ['/healthz', 0],
      ['/oauth2/jwks', 0],
      ['/nowhere', 0],
    ] as const) {
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nCookie: ${cookies}\r\n\r\n`;
      const [head = ''] = (await rawRequest(server.port, request)).split('\r\n\r\n');
      assert.match(head, /^HTTP\/1.1 431 /);
      assert.equal(head.match(/^set-cookie: /gim)?.length ?? 0, removed, path);
    }
  });

  it('rejects more than two hundred headers rather than ignore some of them', async () => {
    const many = Array.from({ length: 2001 }, () => 'a:\r\n').join('');
    const { status, body } = await raw(
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${many}\r\n`,
    );
    assert.equal(status, 431);
    assert.equal(body.error, 'invalid_request');
  });

  it('rejects two Authorization headers, also when one is valid', async () => {
    const right = `Authorization: ${basic(demoClient)}\r\n`;
    const wrong = `authorization: ${basic('demo-service:wrong')}\r\n`;
    const body = 'grant_type=client_credentials';
    for (const both of [right + wrong, wrong + right]) {
      const answer = await raw(`${token}${form}${both}Content-Length: ${body.length}\r\n\r\n${body}`);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'invalid_request');
    }
  });

  it('rejects a request of HTTP/1.1 without a Host header, and any with two', async () => {
    for (const host of ['', 'Host: a\r\nHost: b\r\n']) {
      const answer = await raw(`GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'invalid_request');
    }
    const old = await raw('GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n');
    assert.equal(old.status, 400);
  });

  it('rejects a GET with a body and closes the connection, rather than read on', async () => {
    const { status, head } = await raw(
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    assert.equal(status, 413);
    assert.match(head, /connection: close/i);
  });

  it('rejects an unknown method with a 4xx status', async () => {
    for (const path of ['/healthz', '/nothing', '/oauth2/token']) {
      const answer = await readAnswer(await fetch(`${server.baseUrl}${path}`, { method: 'QUERY' }));
      assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
  });

  it('rejects an endless chunked body at 64 KiB and closes the connection', async () => {
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
    const { status, head } = await raw(`${token}${form}Transfer-Encoding: chunked\r\n\r\n`, chunk.repeat(8));
    assert.equal(status, 413);
    assert.match(head, /connection: close/i);
  });

  it('rejects a body with an announced size over 64 KiB before reading it', async () => {
    const { status, head } = await raw(`${token}${form}Content-Length: 10000000\r\n\r\n`);
    assert.equal(status, 413);
    assert.match(head, /connection: close/i);
  });

  for (const [what, head, status] of [
    ['a body that is too large', `${token}${form}Content-Length: 3000000\r\n\r\n`, 413],
    [
      'a body in chunks',
      `${token}${form}Transfer-Encoding: chunked\r\n\r\n2dc6c0\r\n${'a'.repeat(70_000)}`,
      413,
    ],
    ['a body of a GET', 'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n', 413],
    ['header fields', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(140_000)}`, 431],
    ['what is no HTTP', 'NONSENSE\r\n\r\n', 400],
  ] as const) {
    it(`lets a client read the answer while it goes on sending ${what}`, async () => {
      const options = { port: server.port, host: '127.0.0.1', allowHalfOpen: true };
      const socket = createConnection(options);
      const errors: unknown[] = [];
      socket.on('error', (error) => errors.push(error));
      const closed = once(socket, 'close');
      socket.write(head);
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
      await once(socket, 'end');
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(answer, /^connection: close\r$/im);
      // The server has ended its side, and reads on.
      for (let part = 0; part < 30; part += 1) {
        if (!socket.write('a'.repeat(100_000))) await Promise.race([once(socket, 'drain'), closed]);
      }
      socket.end();
      await closed;
      assert.deepEqual(errors, []);
    });
  }

  it('rejects invalid HTTP with a well-formed error', async () => {
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET /healthz HTTP/9.9\r\n\r\n',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0a, 0x0d, 0x0a]),
      'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n',
    ]) {
      const { status, body } = await raw(bytes);
      assert.equal(status, 400);
      assert.equal(body.error, 'invalid_request');
    }
  });

  it('rejects a path with invalid percent-encoding, and never reads it as another path', async () => {
    for (const path of [
      '/%zz',
      '/oauth2/%ff',
      '/%00',
      '/oauth2%2ftoken',
      '//oauth2/token',
      '/x/../oauth2/token',
    ]) {
      const { status } = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      assert.ok(status === 400 || status === 404, `${path}: ${status}`);
    }
  });

  it('ends requests whose headers or body are not received in time', async () => {
    for (const bytes of [
      'POST /oauth2/token HTTP/1.1\r\nHo',
      `${token}${form}Content-Length: 50\r\n\r\ngrant`,
    ]) {
      const { status, body } = await raw(bytes);
      assert.equal(status, 408);
      assert.equal(body.error, 'invalid_request');
    }
  });

  it('answers other requests while a client sends one byte by byte', async () => {
    const slow = createConnection({ port: server.port, host: '127.0.0.1' });
    slow.on('error', () => {});
    slow.write('POST /oauth2/token HTTP/1.1\r\nHost');
    assert.equal((await server.get('/healthz')).status, 200);
    slow.destroy();
    await once(slow, 'close');
  });

  it('answers no TRACE and no CONNECT', async () => {
    for (const method of ['TRACE', 'CONNECT']) {
      const answer = await rawRequest(
        server.port,
        `${method} /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      assert.doesNotMatch(answer, /^HTTP\/1\.1 2/);
    }
  });

  it('answers HEAD like GET, without a body', async () => {
    const response = await fetch(`${server.baseUrl}/healthz`, { method: 'HEAD' });
    const answer = await readAnswer(response.clone());
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '');
  });

  it('logs none of these requests', () => {
    assert.doesNotMatch(server.log(), /wrong|a{50}|client_credentials/);
  });
});

describe('an answer that depends on a field of the request', () => {
  it('names the field in Vary, beside those that it depends on already', () => {
    assert.deepEqual(varying({}, 'Accept').headers, { vary: 'Accept' });
    const page = { headers: { vary: 'Accept-Language, Cookie', etag: '"1"' } };
    assert.deepEqual(varying(page, 'Accept').headers, {
      vary: 'Accept-Language, Cookie, Accept',
      etag: '"1"',
    });
  });
});
