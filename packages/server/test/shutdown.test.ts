import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { describe, it } from 'node:test';
import {
  logged,
  type RunningServer,
  repeatSignal,
  startProcess,
  temporaryDirectory,
} from '@watchword/server-testkit/process';
import { basic, demoClient } from '@watchword/server-testkit/server';
import { keepAlive, pipelined } from './support/raw-http.ts';

/** Seconds that a connection waits for its next request. */
async function lingeringServer(seconds: string): Promise<RunningServer> {
  const directory = await temporaryDirectory();
  const args = ['--demo', '--host', '127.0.0.1', '--port', '0', '--database', directory.file('x.db')];
  const server = await startProcess([...args, '--shutdown-linger', seconds]);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

describe('shutdown', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`on ${signal} completes open requests, closes their connections, and exits 0`, async () => {
      await using directory = await temporaryDirectory();
      await using server = await startProcess([
        '--demo',
        '--port',
        '0',
        '--database',
        directory.file('x.db'),
      ]);
      const { port } = new URL(server.baseUrl);
      const socket = createConnection({ port: Number(port), host: 'localhost' });
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString();
      });
      const body = 'grant_type=client_credentials';
      const head = `POST /oauth2/token HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(demoClient)}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
      socket.write(head);
      await once(socket, 'connect');
      // The answer on another connection shows that the server has read the head of the first.
      await fetch(`${server.baseUrl}/healthz`);
      const ended = server.end(signal);
      await logged(server.log, /shutting down/);
      await assert.rejects(fetch(`${server.baseUrl}/healthz`));
      socket.write(body);
      assert.equal(await ended, 0);
      assert.match(answer, /^HTTP\/1\.1 200 /);
      assert.match(answer, /access_token/);
      assert.match(answer, /connection: close/i);
      assert.match(server.log(), /"msg":"shut down"/);
    });
  }

  it('answers a request on an idle connection after the signal, as its last', async () => {
    await using server = await lingeringServer('5');
    const connection = await keepAlive(server.baseUrl);
    assert.doesNotMatch(await connection.request(), /^connection: close/im);
    const ended = server.end('SIGTERM');
    await logged(server.log, /shutting down/);
    await assert.rejects(fetch(`${server.baseUrl}/healthz`));
    const last = await connection.request();
    assert.match(last, /^HTTP\/1\.1 200 /);
    assert.match(last, /^connection: close\r$/im);
    assert.equal(await ended, 0);
  });

  it('fails no request on busy connections', async () => {
    await using server = await lingeringServer('5');
    const connections = await Promise.all(Array.from({ length: 16 }, () => keepAlive(server.baseUrl)));
    const busy = connections.map(async (connection) => {
      for (let requests = 1; ; requests += 1) {
        const answer = await connection.request();
        assert.match(answer, /^HTTP\/1\.1 200 /);
        if (requests === 20) server.child.kill('SIGTERM');
        if (/^connection: close\r$/im.test(answer)) return;
      }
    });
    await Promise.all(busy);
  });

  it('closes silent connections after their time limit', async () => {
    await using server = await lingeringServer('1');
    const { socket, request } = await keepAlive(server.baseUrl);
    await request();
    const closed = once(socket, 'close');
    assert.equal(await server.end('SIGTERM'), 0);
    await closed;
  });

  it('ends also when its log is not read', async () => {
    await using directory = await temporaryDirectory();
    const server = await startProcess(['--demo', '--port', '0', '--database', directory.file('x.db')]);
    server.child.stdout?.pause();
    await pipelined(server.baseUrl, 3000);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await exited;
  });

  it('ends with exit code 1 and a reason when the deadline passes or a second signal arrives', async () => {
    await using directory = await temporaryDirectory();
    for (const how of ['deadline', 'second signal'] as const) {
      const deadline = how === 'deadline' ? '1' : '60';
      const args = [
        '--demo',
        '--port',
        '0',
        '--database',
        directory.file('x.db'),
        '--shutdown-deadline',
        deadline,
      ];
      await using server = await startProcess(args);
      const { port } = new URL(server.baseUrl);
      const socket = createConnection({ port: Number(port), host: 'localhost' });
      socket.on('error', () => {});
      socket.write('POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
      await once(socket, 'connect');
      await fetch(`${server.baseUrl}/healthz`);
      const ended = server.end('SIGTERM');
      if (how === 'second signal') {
        await logged(server.log, /shutting down/);
        await repeatSignal(server);
      }
      assert.equal(await ended, 1);
      assert.match(
        server.log(),
        how === 'deadline' ? /the deadline of 1 s passed/ : /a second request to end: SIGTERM/,
      );
      socket.destroy();
    }
  });
});
