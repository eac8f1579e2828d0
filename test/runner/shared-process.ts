// Run by run-group.ts as a process, with the test files as arguments: one after the other, each as a suite
// with its path as name, so that hooks and results at the top of a file stay with that file.
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { watchForBlocks } from './block-watch.ts';
import { startBundledThreads } from './bundled-threads.ts';
import { register, registered } from './promise-tracking.ts';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)));
if (process.env.TEST_PROGRAM !== undefined) startBundledThreads(process.env.TEST_PROGRAM);
const { after, describe } = await import('node:test');

const files = process.argv.slice(2);
// runner.test.ts sets the variable.
const begin = watchForBlocks(files, Number(process.env.TEST_BLOCK_LIMIT ?? 300_000));

/** Errors that no test of the current file catches. */
let uncaught: unknown[] = [];
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => {
    console.error(`${event}:`, error);
    uncaught.push(error);
  });
}

for (const [index, file] of files.entries()) {
  begin(index);
  const finished = Promise.withResolvers<void>();
  // Without the option `timeout`: a suite has no limit then, and with `Infinity` it has the limit of a test.
  register(() =>
    describe(file, async () => {
      after(() => {
        finished.resolve();
        const [error] = uncaught;
        uncaught = [];
        if (error !== undefined) throw error;
      });
      await import(pathToFileURL(resolve(file)).href).finally(registered);
    }),
  );
  await finished.promise;
}

// An open server or timer of a test would keep this process alive.
setTimeout(() => {
  console.error(`a test has left something open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, 10_000).unref();
