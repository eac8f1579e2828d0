import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import {
  logged,
  repeatSignal,
  startProcess,
  temporaryDirectory,
} from '@watchword/server-testkit/processes/process';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';
import { rounds, slowTest } from '@watchword/testkit';
import { openRequest } from '../support/open-request.ts';
import { keepAlive } from '../support/raw-http.ts';

describe('shutdown', () => {
  it('completes open requests, and answers one more on idle connections', async () => {
    await using server = await startServer();
    const idle = await keepAlive(server.baseUrl);
    assert.doesNotMatch(await idle.request(), /^connection: close/im);
    const open = await openRequest(server.baseUrl);
    const closed = server.service.close(5);
    const last = await idle.request();
    assert.match(last, /^HTTP\/1\.1 200 /);
    assert.match(last, /^connection: close\r$/im);
    open.complete();
    await closed;
    assert.match(open.answer(), /^HTTP\/1\.1 200 /);
    assert.match(open.answer(), /access_token/);
    assert.match(open.answer(), /connection: close/i);
  });

  it('fails no request on busy connections', async () => {
    await using server = await startServer();
    const connections = await Promise.all(
      Array.from({ length: rounds(8, 16) }, () => keepAlive(server.baseUrl)),
    );
    let closing: Promise<void> | undefined;
    const busy = connections.map(async (connection) => {
      for (let requests = 1; ; requests += 1) {
        const answer = await connection.request();
        assert.match(answer, /^HTTP\/1\.1 200 /);
        if (requests === rounds(8, 20)) closing ??= server.service.close(5);
        if (/^connection: close\r$/im.test(answer)) return;
      }
    });
    await Promise.all(busy);
    await closing;
  });

  slowTest('closes silent connections after their time limit', async () => {
    await using server = await startServer();
    const { socket, request } = await keepAlive(server.baseUrl);
    await request();
    const closed = once(socket, 'close');
    await server.service.close(0.1);
    await closed;
  });

  it('begins with SIGTERM, and ends with exit code 1 and a reason when a second signal arrives', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    const where = ['--host', '127.0.0.1', '--port', '0', '--database', directory.file('x.db')];
    const patient = ['--shutdown-linger', '60', '--shutdown-deadline', '60'];
    await using server = await startProcess(['--demo', 'small', ...where, ...patient]);
    const idle = await keepAlive(server.baseUrl);
    await idle.request();
    const open = await openRequest(server.baseUrl);
    const ended = server.end('SIGTERM');
    await logged(server.log, /shutting down/);
    await assert.rejects(fetch(`${server.baseUrl}/healthz`));
    assert.match(await idle.request(), /^connection: close\r$/im);
    await repeatSignal(server);
    assert.equal(await ended, 1);
    assert.match(server.log(), /a second request to end: SIGTERM/);
    open.end();
  });
});
