// Run by test-process.ts: runs the files whose paths it gets, one after the other, each as a suite with its path as name, so
// that hooks and results at the top of a file stay with that file.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { closeSharedBrowser, keepSharedBrowser } from '../../packages/testkit/src/browser/shared-browser.ts';
import { watchForBlocks } from './block-watch.ts';
import { startBundledThreads } from './bundled-threads.ts';
import { resultOf } from './event-results.ts';
import { leftOpenCode } from './exit-code.ts';
import type { FileResult } from './file-result.ts';
import { giveThreads } from './lasting-worker.ts';
import { register, registered } from './promise-tracking.ts';
import { resolveQuickly } from './quick-resolution.ts';
import { watchForRemains } from './remains.ts';
import { hasThreads } from './test-files.ts';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)));
resolveQuickly();
if (process.env.TEST_PROGRAM !== undefined) startBundledThreads(process.env.TEST_PROGRAM);
const { describe } = await import('node:test');

// runner.test.ts sets the variable.
const begin = watchForBlocks(Number(process.env.TEST_BLOCK_LIMIT ?? 300_000));

/** Errors that no test of the current file catches. */
let uncaught: unknown[] = [];
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => {
    console.error(`${event}:`, error);
    uncaught.push(error);
  });
}

/** Whether a file has left something behind and is reported for it. */
let hasRemains = false;

// Not the channel of child_process.fork(): a server that a test starts in this process would be a worker with it.
const channel = new Socket({ fd: 3 });
keepSharedBrowser();
if (process.argv.includes('--load')) {
  // What most files import.
  await import('@watchword/server-testkit/servers/administration');
  flushCompileCache();
  channel.write('\n');
}
for await (const file of createInterface({ input: channel })) {
  // A test that waits for nothing fails: the channel keeps this process alive only between files.
  channel.unref();
  const result = await runFile(file);
  // The other processes of a first run find what this one has compiled.
  flushCompileCache();
  channel.ref();
  channel.write(`${JSON.stringify(result)}\n`);
}

await closeSharedBrowser();
// node:test has set the exit code.
if (hasRemains) process.exit();
// A process that a test started, or a connection, would keep this process alive.
setTimeout(() => {
  console.error(`a test has left something open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(leftOpenCode);
}, 10_000).unref();

async function runFile(file: string): Promise<FileResult> {
  begin(file);
  giveThreads(hasThreads(file));
  const remains = watchForRemains();
  const tested = resultOf(file);
  // Without the option `timeout`: a suite has no limit then, and with `Infinity` it has the limit of a test.
  register(() => describe(file, () => import(pathToFileURL(resolve(file)).href).finally(registered)));
  const result = await tested;
  const left = await remains();
  hasRemains ||= left.length > 0;
  const errors = [...uncaught.map((error) => inspect(error)), ...left];
  uncaught = [];
  if (errors.length === 0) return result;
  return { ...result, failures: [...result.failures, { path: [], error: errors.join('\n') }] };
}
