import assert from 'node:assert/strict';
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { slowTest } from '@watchword/testkit';

const source = (file: string) => import.meta.resolve(`../../src/${file}`);

/** A process with a log on its standard output. @param work what it does, as a program */
function start(work: string, stdio: StdioOptions): ChildProcess {
  const script = `
    import { createLogger } from '${source('runtime/log/logger.ts')}';
    import { standardOutput } from '${source('runtime/log/standard-output.ts')}';
    import { endAtUncaughtErrors } from '${source('shutdown.ts')}';
    const sink = standardOutput();
    const logger = createLogger('info', sink, { version: '0.0.0' });
    endAtUncaughtErrors({ closePort() {}, logger }, sink);
    ${work}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio });
}

/** The log of a process that writes many lines and then ends in the given way. */
function logOf(end: string): Promise<string> {
  const lines = "for (let line = 0; line < 500; line += 1) logger.info({ line }, 'one of many');";
  const last = `setImmediate(async () => { logger.info('last'); ${end} });`;
  return text(start(`${lines} ${last}`, ['ignore', 'pipe', 'ignore']).stdout as Readable);
}

describe('the log on standard output', () => {
  const unexpected = 'the process ends because of an unexpected error';
  for (const [test, name, end, last] of [
    // A process that comes to its end exits too, and workers.test.ts reads the last line of a server, which flushes.
    [slowTest, 'has come to its end', '', ['last']],
    [slowTest, 'flushes and exits', 'await sink.flush(); process.exit()', ['last']],
    [it, 'exits', 'process.exit(1)', ['last']],
    [it, 'ends with an error', 'throw new Error()', ['last', unexpected]],
  ] as const) {
    test(`is complete when the process ${name}`, async () => {
      const lines = (await logOf(end)).trimEnd().split('\n');
      const messages = lines.map((line) => JSON.parse(line));
      // A block that is being written at the end can follow the rest.
      assert.deepEqual(
        messages.flatMap(({ line }) => line ?? []).toSorted((a, b) => a - b),
        Array.from({ length: 500 }, (_, line) => line),
      );
      assert.deepEqual(
        messages.filter(({ line }) => line === undefined).map(({ msg }) => msg),
        last,
      );
    });
  }

  it('is left out and counted where it cannot be written, and the process ends in order', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    await using full = await open('/dev/full', 'w');
    const lines = "for (let line = 0; line < 5000; line += 1) logger.info('n'.repeat(255));";
    const child = start(`${lines} await sink.flush(); console.error(sink.dropped());`, [
      'ignore',
      full.fd,
      'pipe',
    ]);
    const dropped = await text(child.stderr as Readable);
    assert.ok(Number(dropped) > 0, dropped);
    assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 0);
  });
});
