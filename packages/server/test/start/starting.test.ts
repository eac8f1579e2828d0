import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { demoResourceServer, startServer } from '@watchword/server-testkit/servers/server';
import { freePort } from '@watchword/testkit/free-port';
import { Ports } from '../../src/http/connections/ports.ts';
import { moduleServer } from '../support/module-server.ts';

/** The factory of this module runs while the server starts, and sends requests to that server. */
const curiousModule = `
  export default async ({ services, log }) => {
    const root = services.baseUrl;
    const asked = [['GET', '/healthz'], ['GET', '/readyz'], ['POST', '/healthz'], ['POST', '/oauth2/token'], ['GET', '/nothing']];
    for (const [method, path] of asked) {
      const answer = await fetch(root + path, { method, body: method === 'GET' ? undefined : 'x=y' });
      const names = ['retry-after', 'cache-control', 'connection'];
      const headers = Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]));
      log('info', 'asked', { method, path, status: answer.status, headers, body: await answer.json() });
    }
    const begin = async () => ({ type: 'form', fields: [] });
    return { name: 'curious', begin, resume: begin };
  };`;

describe('a server that starts', () => {
  it('answers 503 with Retry-After until it is ready, but is alive, at a base URL that is known from the start', async () => {
    const port = await freePort();
    const flags = { host: 'localhost', port: String(port), baseUrl: `http://localhost:${port}/sso` };
    await using server = await moduleServer('authenticator', curiousModule, flags);
    const asked = server
      .log()
      .split('\n')
      .filter((line) => line.includes('"asked"'))
      .map((line) => JSON.parse(line));
    const [live, ...others] = asked;
    assert.deepEqual([live.path, live.status, live.body], ['/healthz', 200, { status: 'ok' }]);
    assert.deepEqual(
      others.map(({ method, path }) => `${method} ${path}`),
      ['GET /readyz', 'POST /healthz', 'POST /oauth2/token', 'GET /nothing'],
    );
    for (const { status, headers, body } of others) {
      assert.equal(status, 503);
      assert.deepEqual(headers, { 'retry-after': '1', 'cache-control': 'no-store', connection: 'close' });
      assert.deepEqual(body, {
        error: 'temporarily_unavailable',
        error_description: 'The server is starting.',
      });
    }
    assert.equal((await server.get('/readyz')).status, 200);
    assert.equal((await server.get('/nothing')).status, 404);
  });

  it('closes its port when a later step fails', async () => {
    const port = String(await freePort());
    await assert.rejects(startServer({ port, authenticator: './none.mjs' }), /none\.mjs/);
    await using server = await startServer({ port });
    assert.equal((await server.get('/readyz')).status, 200);
  });

  it(
    'starts a thread for lists when the first list is read',
    onlyOn('sqlite', 'PostgreSQL is read without threads'),
    async () => {
      let threads = 0;
      const count = () => {
        threads += 1;
      };
      process.on('worker', count);
      try {
        await using server = await startServer();
        const form = { access_token: await server.issueToken() };
        assert.equal((await server.post('/v1/tokeninfo', form, demoResourceServer)).status, 200);
        assert.equal(threads, 1, 'the thread that writes');
        await server.service.store.clients.list({ limit: 1 });
        assert.equal(threads, 2);
      } finally {
        process.off('worker', count);
      }
    },
  );
});

describe('the port', { skip: process.platform !== 'linux' }, () => {
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const reject = () => {};
  const newPorts = () =>
    new Ports({ requestTimeout: 15, ownReader: true, reject }, (request) =>
      request.answer({ body: 'here' }, 'id-1'),
    );

  it('is the same at every address of the host', async () => {
    const ports = newPorts();
    const port = await ports.open(addresses, 0);
    for (const address of addresses) {
      assert.equal(await (await fetch(`http://${address}:${port}`)).text(), 'here');
    }
    await ports.close(0);
    for (const address of addresses) await assert.rejects(fetch(`http://${address}:${port}`));
  });

  it('is rejected when another process uses it at one of the addresses, and is then open at none', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve));
    const { port } = other.address() as { port: number };
    await assert.rejects(newPorts().open(addresses, port), { code: 'EADDRINUSE' });
    await assert.rejects(fetch(`http://127.0.0.1:${port}`));
    other.close();
  });

  it('is opened at the addresses of the machine', async () => {
    const ports = newPorts();
    // A documentation address (RFC 5737), which no machine has.
    const port = await ports.open(['192.0.2.1', '127.0.0.1'], 0);
    assert.equal((await fetch(`http://127.0.0.1:${port}`)).status, 200);
    await ports.close(0);
    await assert.rejects(newPorts().open(['192.0.2.1'], 0), { code: 'EADDRNOTAVAIL' });
  });
});
