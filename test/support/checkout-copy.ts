import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CheckoutChanges, checkoutChanges } from './checkout-changes.ts';
import { installed, linkDependencies } from './link-dependencies.ts';
import { runNode } from './run-node.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Generated files. */
const made = new Set(['node_modules', 'dist', 'artifacts', '.git']);
/** The folder of the database, which `npm start` makes in the root alone. */
const database = 'data';

/** A copy of this checkout to change and run, with the dependencies that are installed here. */
export interface CheckoutCopy extends CheckoutChanges, AsyncDisposable {
  readonly path: string;
  file(path: string): string;
  /** The files that were written or changed, from the root of the copy. */
  changed(): readonly string[];
  /** Runs a command of Node.js. Resolves with its output. @throws Error with all of its output when it fails */
  run(...args: readonly string[]): Promise<string>;
}

export async function copyCheckout(): Promise<CheckoutCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-checkout-'));
  const file = (path: string) => join(directory, path);
  const filter = (source: string) => {
    const path = relative(root, source);
    return path !== database && !made.has(basename(path));
  };
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
  // Versions that a single package has.
  for (const name of await readdir(join(root, 'packages'))) {
    const own = join('packages', name, 'node_modules');
    if (existsSync(join(root, own))) await symlink(join(root, own), file(own), 'junction');
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
