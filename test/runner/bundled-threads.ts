import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { givesThreads } from './lasting-worker.ts';

/** What runs in threads and processes of its own, by its name in `imports` of `packages/store-sql/package.json`. */
export const threads = ['writer-thread', 'reader-thread', 'examine-process'];

/**
 * Lets databases that this process opens have threads that last, with the modules of the bundled program. Every server of a test
 * needs one, and starting it from its sources takes longer than the rest of the start.
 *
 * @param bin the file that runs the bundled program
 */
export function startBundledThreads(bin: string): void {
  const bundled = new Map(
    threads.map((name) => [`#${name}`, pathToFileURL(join(bin, '..', '..', 'dist', `${name}.js`)).href]),
  );
  const lasting = new URL('./lasting-worker.ts', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      const isWorker =
        specifier === 'node:worker_threads' && context.parentURL?.endsWith('/waiting-thread.ts');
      // Without threads, the sources are loaded here already.
      const isHere = specifier.endsWith('-thread') && !givesThreads();
      const url = isWorker ? lasting : isHere ? undefined : bundled.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
  });
}
