import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { slowTest } from '@watchword/testkit';

const source = (file: string) => import.meta.resolve(`../../src/${file}`);

/** The log of a process that writes many lines and then ends in the given way. */
function logOf(end: string): Promise<string> {
  const script = `
    import { createLogger } from '${source('runtime/log/logger.ts')}';
    import { standardOutput } from '${source('runtime/log/standard-output.ts')}';
    import { endAtUncaughtErrors } from '${source('shutdown.ts')}';
    const sink = standardOutput();
    const logger = createLogger('info', sink, { version: '0.0.0' });
    endAtUncaughtErrors({ closePort() {}, logger }, sink);
    for (let line = 0; line < 500; line += 1) logger.info({ line }, 'one of many');
    setImmediate(async () => { logger.info('last'); ${end} });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text(child.stdout);
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
});
