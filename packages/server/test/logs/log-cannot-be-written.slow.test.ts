import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  repeatSignal,
  startProcess,
  startUnheard,
  temporaryDirectory,
  type Wrap,
  watchwordProcess,
} from '@watchword/server-testkit/processes/process';
import { copyDemo } from '@watchword/server-testkit/servers/server';
import { pipelined } from '../support/raw-http.ts';
import { smallDisk } from '../support/small-disk.ts';
import { droppedLines, faulty, issueToken, overflow, redirected } from '../support/unwritten-log.ts';

describe('a server whose log cannot be written', { skip: !existsSync('/dev/full') }, () => {
  // In `npm test`, log.test.ts has it of a process that is no server.
  it('answers, counts the lines that it dropped, and ends in order on SIGTERM', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    // So long that few lines are more than the megabyte that may wait.
    const node = 'n'.repeat(255);
    const args = ['--demo', 'small', '--database', directory.file('x.db'), '--log-node', node];
    await using server = await startUnheard(args, redirected('>/dev/full'));
    await issueToken(server);
    await pipelined(server.baseUrl, 3500);
    assert.ok((await droppedLines(server)) > 0);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('answers when standard error cannot be written either', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--demo', 'small', '--database', directory.file('x.db')];
    await using server = await startUnheard(args, redirected('>/dev/full 2>&1'));
    await issueToken(server);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('ends with exit code 1 after an uncaught error, with the reason on standard error', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--demo', 'small', '--database', directory.file('x.db')];
    await using server = await startUnheard(args, faulty(redirected('>/dev/full')));
    assert.equal(await server.end('SIGUSR2'), 1);
    assert.match(server.stderr(), /injected/);
  });

  it('ends with exit code 1 on a second signal', async () => {
    await using directory = await temporaryDirectory();
    // The deadline of the shutdown is later than that of the test.
    const args = ['--demo', 'small', '--database', directory.file('x.db'), '--shutdown-deadline', '300'];
    await using server = await startUnheard(args, redirected('>/dev/full'));
    const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
    socket.on('error', () => {});
    socket.write('POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n');
    await once(socket, 'connect');
    await fetch(`${server.baseUrl}/healthz`);
    const ended = server.end('SIGTERM');
    await repeatSignal(server);
    assert.equal(await ended, 1);
    socket.destroy();
  });

  it('reports why it does not start, with exit code 1', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--demo', 'small', '--port', '0', '--database', directory.file('x.db')];
    await using server = await startProcess(args);
    const { port } = new URL(server.baseUrl);
    await assert.rejects(
      startUnheard(['--port', port, '--database', directory.file('y.db')], redirected('>/dev/full')),
      /the server ended: watchword: Cannot listen on .* another process uses the port/,
    );
  });
});

describe('a server with a log that is not read', () => {
  it('ends also after an uncaught error', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--demo', 'small', '--port', '0', '--database', directory.file('x.db')];
    const server = await startProcess(
      args,
      faulty((command) => command),
    );
    server.child.stdout?.pause();
    // More than a pipe holds.
    await pipelined(server.baseUrl, 2000);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGUSR2');
    await exited;
  });
});

it('a command whose output cannot be written fails with exit code 1 and the reason', async (test) => {
  if (!existsSync('/dev/full')) return test.skip('no /dev/full');
  const full = openSync('/dev/full', 'w');
  const { code, stderr } = await watchwordProcess(['config'], { stdout: full });
  closeSync(full);
  assert.equal(code, 1);
  assert.match(stderr, /^watchword: the output of the command could not be written: ENOSPC.*\n$/);
});

it('a log on a disk that was full continues in whole lines, with the number of missing lines', async (test) => {
  await using disk = await smallDisk(4096);
  if (disk === undefined) return test.skip('no right to mount a disk');
  await using directory = await temporaryDirectory();
  const ballast = join(disk.outside, 'ballast');
  await writeFile(ballast, Buffer.alloc(4000 * 1024));
  const wrap: Wrap = (command) => disk.wrap(redirected(`>${join(disk.path, 'log')}`)(command));
  await using server = await startUnheard(['--demo', 'small', '--database', directory.file('x.db')], wrap);
  await pipelined(server.baseUrl, overflow);
  const dropped = await droppedLines(server);
  assert.ok(dropped > 0);
  await rm(ballast);
  // Buffered lines that do not fit yet are dropped too, so the number can still grow until a line fits. When all
  // buffered lines were dropped before, only a new request writes a line.
  const log = () => readFileSync(join(disk.outside, 'log'), 'utf8');
  do await pipelined(server.baseUrl, 1);
  while (!/"msg":"answered"}\n$/.test(log()));
  const droppedInAll = await droppedLines(server);
  assert.equal(await server.end('SIGTERM'), 0);
  const lines = log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const missing = lines.flatMap((line) => line.dropped ?? []);
  assert.equal(
    missing.reduce((sum, count) => sum + count, 0),
    droppedInAll,
  );
  assert.equal(lines.at(-1).msg, 'shut down');
});
