// Starts a module in a thread. Plain JavaScript: a thread that is started from TypeScript loads the
// TypeScript stripper (17 MB) even where the compile cache has the stripped text already.
import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

if (workerData.compileCache !== undefined) enableCompileCache(workerData.compileCache);
await import(workerData.module);
