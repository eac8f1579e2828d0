import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sourceAddress } from '../../src/http/source-address.ts';
import { keepAlive, parseRaw, rawRequest } from '../support/raw-http.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

describe('a request target', () => {
  const ask = async (target: string, method = 'GET', headers = '') =>
    parseRaw(
      await rawRequest(
        server.port,
        `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`,
      ),
    );

  for (const [name, target, status] of [
    ['is compared with percent-encoded letters decoded (RFC 3986 §6.2.2.2)', '/%68ealthz', 200],
    ['can be an absolute URI (RFC 9112 §3.2.2)', 'http://other.example/healthz', 200],
    ['ends before a fragment, which no client should send', '/healthz#x', 200],
    ['is not found with a slash at its end', '/healthz/', 404],
    ['is not found with two slashes', '//healthz', 404],
    ['is not found with a slash in percent-encoding', '/v1%2Ftokeninfo', 404],
    ['is not found in upper case', '/Healthz', 404],
    ['is not found with dot segments', '/x/../healthz', 404],
    ['is not found with a parameter behind a semicolon', '/healthz;x=1', 404],
    ['is not found with a null character', '/healthz%00', 404],
    ['is refused with a broken percent-encoding', '/%zz', 400],
    ['is refused with a broken percent-encoding in a variable part', '/admin/resourceServer/%zz', 400],
    ['is refused when it is not UTF-8', '/admin/resourceServer/%ff', 400],
    [
      'is refused when a variable part is longer than 2000 characters',
      `/admin/resourceServer/${'1'.repeat(2001)}`,
      400,
    ],
    ['finds a variable part of 2000 characters', `/admin/resourceServer/${'1'.repeat(2000)}`, 401],
    ['keeps a slash in percent-encoding within a variable part', '/admin/resourceServer/1%2F2', 401],
  ] as const) {
    it(name, async () => {
      assert.equal((await ask(target)).status, status);
    });
  }

  it('is compared with exact paths before variable ones', async () => {
    const { status, head } = await ask('/admin/resourceServer/principal', 'PATCH', 'Content-Length: 0\r\n');
    assert.equal(status, 405);
    assert.match(head, /^allow: GET, HEAD\r$/im);
  });

  it('is answered 405 with Allow for every other method, also for an unknown one', async () => {
    for (const method of ['DELETE', 'OPTIONS', 'PURGE', 'QUERY', 'TRACE']) {
      const { status, head } = await ask('/healthz', method);
      assert.equal(status, 405, method);
      assert.match(head, /^allow: GET, HEAD\r$/im);
    }
    assert.equal((await ask('*', 'OPTIONS')).status, 404);
    assert.equal((await ask('/nothing', 'QUERY')).status, 404);
  });
});

describe('a request', () => {
  it('of HTTP/1.0 is answered, and its connection closed unless the client asks to keep it', async () => {
    const answer = await rawRequest(server.port, 'GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /^connection: close\r$/im);
    assert.match(answer, /\{"status":"ok"\}$/);
  });

  it('with 100-continue gets it, and any other expectation is ignored', async () => {
    const head =
      'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1\r\n';
    const answer = await rawRequest(server.port, `${head}Expect: 100-continue\r\n\r\n`, 'x');
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 415 /);
    const failed = await rawRequest(server.port, `${head}Expect: miracles\r\n\r\n`, 'x');
    assert.match(failed, /^HTTP\/1\.1 415 /);
  });

  it('to upgrade the connection is answered in HTTP/1.1', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const upgrade = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;
      assert.match(await rawRequest(server.port, upgrade), /^HTTP\/1\.1 200 /);
    }
  });

  it('is answered after the earlier one on the same connection', async () => {
    const healthz = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';
    const both = await rawRequest(server.port, `${healthz}\r\n${healthz}Connection: close\r\n\r\n`);
    assert.equal(both.match(/HTTP\/1\.1 200 /g)?.length, 2);
    const connection = await keepAlive(server.baseUrl);
    assert.match(await connection.request(), /^keep-alive: timeout=72\r$/im);
    assert.match(await connection.request(), /^HTTP\/1\.1 200 /);
    connection.socket.destroy();
  });

  it('has one head and one body in its answer, with a length', async () => {
    for (const [method, path, length] of [
      ['GET', '/healthz', 15],
      ['HEAD', '/healthz', 15],
    ] as const) {
      const answer = await rawRequest(
        server.port,
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      const [head = '', body] = answer.split('\r\n\r\n');
      assert.match(head, new RegExp(`^content-length: ${length}\\r?$`, 'im'));
      assert.doesNotMatch(head, /transfer-encoding/i);
      assert.equal(body, method === 'HEAD' ? '' : '{"status":"ok"}');
    }
  });
});

describe('the source address of a request', () => {
  const addressOf = async (server: TestServer, forwardedFor: string) => {
    await server.get('/healthz', { 'x-forwarded-for': forwardedFor });
    const lines = server.log().trim().split('\n');
    return JSON.parse(lines.at(-1) ?? '').address;
  };

  it('is the last one in X-Forwarded-For that is no trusted proxy, where the peer is a trusted proxy', async () => {
    await using proxied = await startServer({ trustedProxies: '127.0.0.1,10.0.0.0/8,2001:db8::/32' });
    for (const [header, address] of [
      ['192.0.2.7', '192.0.2.7'],
      ['198.51.100.1, 192.0.2.7, 10.1.2.3', '192.0.2.7'],
      ['192.0.2.7, 2001:db8::1', '192.0.2.7'],
      ['10.9.9.9', '10.9.9.9'],
      ['', '127.0.0.1'],
    ] as const) {
      assert.equal(await addressOf(proxied, header), address, header);
    }
    assert.doesNotMatch(proxied.log(), /X-Forwarded-For/, 'nothing is reported');
  });

  it('is an empty text when the connection has ended before the address is read', () => {
    for (const trustedProxies of [[], ['10.0.0.0/8']]) {
      assert.equal(sourceAddress(trustedProxies)(new IncomingMessage(new Socket())), '');
    }
  });

  it('is reported once as that of a proxy that may be missing in trustedProxies, without the header, and is that of the peer', async () => {
    await using proxied = await startServer({ trustedProxies: '10.0.0.0/8' });
    for (const each of [server, proxied]) {
      const warnings = () =>
        each
          .log()
          .split('\n')
          .filter((line) => line.includes('X-Forwarded-For'));
      await each.get('/healthz');
      assert.equal(warnings().length, 0);
      for (const address of ['192.0.2.77', '192.0.2.78']) {
        assert.equal(await addressOf(each, address), '127.0.0.1');
      }
      const [warning, ...others] = warnings();
      assert.deepEqual(others, []);
      assert.match(warning ?? '', /"level":"?(?:warn|40)/);
      assert.match(warning ?? '', /came from (?:::ffff:)?127\.0\.0\.1, which trustedProxies does not name/);
      assert.doesNotMatch(warning ?? '', /192\.0\.2/);
    }
  });
});
