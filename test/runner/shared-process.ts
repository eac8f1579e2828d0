// Run by run-group.ts as a process, with the test files as arguments: one after the other, each as a suite
// with its path as name, so that hooks and results at the top of a file stay with that file.
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { after, describe } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)));

for (const file of process.argv.slice(2)) {
  const finished = Promise.withResolvers<void>();
  // Without the option `timeout`: a suite has no limit then, and with `Infinity` it has the limit of a test.
  describe(file, async () => {
    after(() => finished.resolve());
    await import(pathToFileURL(resolve(file)).href);
  });
  await finished.promise;
}

// An open server or timer of a test would keep this process alive.
setTimeout(() => {
  console.error(`a test has left something open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, 10_000).unref();
