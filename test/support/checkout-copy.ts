import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed, linkDependencies } from './link-dependencies.ts';
import { runNode } from './run-node.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Generated files. */
const made = new Set(['node_modules', 'dist', 'data', 'artifacts', '.git']);

/** Changes of files, whose paths are those from the root of a checkout. */
export interface CheckoutChanges {
  write(path: string, text: string): Promise<void>;
  /** @throws Error when the file does not contain the text to replace */
  replace(path: string, text: string, by: string): Promise<void>;
}

/** A copy of this checkout to change and run, with the dependencies that are installed here. */
export interface CheckoutCopy extends CheckoutChanges, AsyncDisposable {
  readonly path: string;
  file(path: string): string;
  /** The files that were written or changed, from the root of the copy. */
  changed(): readonly string[];
  /** Runs a command of Node.js. Resolves with its output. @throws Error with all of its output when it fails */
  run(...args: readonly string[]): Promise<string>;
}

/** @param read returns the text of a file as it is now */
export function checkoutChanges(
  read: (path: string) => Promise<string>,
  write: CheckoutChanges['write'],
): CheckoutChanges {
  return {
    write,
    async replace(path, text, by) {
      const before = await read(path);
      if (!before.includes(text)) throw new Error(`${path} does not hold: ${text}`);
      await write(
        path,
        before.replace(text, () => by),
      );
    },
  };
}

export async function copyCheckout(): Promise<CheckoutCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-checkout-'));
  const file = (path: string) => join(directory, path);
  const filter = (source: string) => !made.has(basename(relative(root, source)));
  // Takes half of the processor time of the asynchronous form.
  cpSync(root, directory, { recursive: true, filter });
  const modules = join(directory, 'node_modules');
  await mkdir(modules);
  await linkDependencies(modules);
  // These are relative links, in the copy too.
  for (const name of ['@watchword', '.bin']) {
    const links = { recursive: true, verbatimSymlinks: true };
    cpSync(join(installed, name), join(modules, name), links);
  }
  const changed = new Set<string>();
  const write = async (path: string, text: string) => {
    changed.add(path);
    await mkdir(dirname(file(path)), { recursive: true });
    await writeFile(file(path), text);
  };
  return {
    path: directory,
    file,
    ...checkoutChanges((path) => readFile(file(path), 'utf8'), write),
    changed: () => [...changed],
    run: (...args) => runNode(args, directory),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}
