import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The module that runs in a thread, by its name in `imports` of this package. */
export type ThreadModule = `#${string}-thread`;

/**
 * Threads whose database is closed. A thread starts as slowly as all other work to open a database, so that the next database
 * gets one of them. They do not keep the process alive.
 */
const idle = new Map<ThreadModule, Worker[]>();

export function takeThread(module: ThreadModule): Worker {
  const worker = idle.get(module)?.pop();
  if (worker === undefined) return startThread(module);
  worker.ref();
  return worker;
}

/** @param worker runs the module, and has closed its database */
export function keepThread(module: ThreadModule, worker: Worker): void {
  worker.unref();
  const others = idle.get(module);
  if (others === undefined) idle.set(module, [worker]);
  else others.push(worker);
}

function startThread(module: ThreadModule): Worker {
  const cache = getCompileCacheDir();
  return new Worker(fileURLToPath(import.meta.resolve('#thread')), {
    workerData: { module: import.meta.resolve(module), compileCache: cache && dirname(cache) },
  });
}
