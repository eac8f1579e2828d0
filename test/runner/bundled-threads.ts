import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What runs in threads and processes of its own, by its name in `imports` of `packages/store-sql/package.json`. */
export const threads = ['writer-thread', 'reader-thread', 'examine-process'];

/**
 * Lets databases that this process opens start their threads from the bundled program. Every server of a test starts one, and
 * loading its sources takes as long as the rest of its start.
 *
 * @param bin the file that runs the bundled program
 */
export function startBundledThreads(bin: string): void {
  const bundled = new Map(
    threads.map((name) => [`#${name}`, pathToFileURL(join(bin, '..', '..', 'dist', `${name}.js`)).href]),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const url = bundled.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
  });
}
