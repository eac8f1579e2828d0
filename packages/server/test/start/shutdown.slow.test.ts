import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import {
  logged,
  type RunningServer,
  startProcess,
  temporaryDirectory,
} from '@watchword/server-testkit/processes/process';
import { openRequest } from '../support/open-request.ts';
import { keepAlive, pipelined } from '../support/raw-http.ts';

async function startDemo(...args: readonly string[]): Promise<RunningServer> {
  const directory = await temporaryDirectory();
  const where = ['--host', '127.0.0.1', '--port', '0', '--database', directory.file('x.db')];
  const server = await startProcess(['--demo', 'small', ...where, ...args]);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

describe('shutdown of a process', () => {
  it('on SIGINT completes open requests, and exits 0', async () => {
    await using server = await startDemo();
    const open = await openRequest(server.baseUrl);
    const ended = server.end('SIGINT');
    await logged(server.log, /shutting down/);
    await assert.rejects(fetch(`${server.baseUrl}/healthz`));
    open.complete();
    assert.equal(await ended, 0);
    assert.match(open.answer(), /^HTTP\/1\.1 200 [\s\S]*access_token/);
    assert.match(server.log(), /"msg":"shut down"/);
  });

  it('closes silent connections after the time limit of the configuration', async () => {
    await using server = await startDemo('--shutdown-linger', '1');
    const { socket, request } = await keepAlive(server.baseUrl);
    await request();
    const closed = once(socket, 'close');
    assert.equal(await server.end('SIGTERM'), 0);
    await closed;
  });

  it('ends also when its log is not read', async () => {
    await using server = await startDemo();
    server.child.stdout?.pause();
    await pipelined(server.baseUrl, 3000);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await exited;
  });

  it('does not wait for what a module has left open', async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('open.mjs');
    const source = `setInterval(() => {}, 1000);
      const never = () => new Promise(() => {});
      export default () => ({ name: 'open', begin: never, resume: never, close: never });`;
    await writeFile(module, source);
    await using server = await startDemo('--authenticator', module);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.match(server.log(), /"msg":"shut down"/);
  });

  it('ends with exit code 1 and a reason when the deadline passes', async () => {
    await using server = await startDemo('--shutdown-deadline', '1');
    const open = await openRequest(server.baseUrl);
    assert.equal(await server.end('SIGTERM'), 1);
    assert.match(server.log(), /the deadline of 1 s passed/);
    open.end();
  });
});
