import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment } from '../../packages/server/test/support/process.ts';
import { installed, linkDependencies } from './link-dependencies.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What is made and not written. */
const made = new Set(['node_modules', 'dist', 'data', 'artifacts', '.git']);

/** A copy of this checkout to change and run, with the dependencies that are installed here. */
export interface CheckoutCopy extends AsyncDisposable {
  readonly path: string;
  file(path: string): string;
  write(path: string, text: string): Promise<void>;
  /** @throws when the text that is to be replaced is not there */
  replace(path: string, text: string, by: string): Promise<void>;
  /** Runs a command of Node.js; resolves with what it printed. @throws with all that it said when it fails */
  run(...args: readonly string[]): Promise<string>;
}

export async function copyCheckout(): Promise<CheckoutCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-checkout-'));
  const file = (path: string) => join(directory, path);
  await cp(root, directory, { recursive: true, filter: (source) => !made.has(basename(source)) });
  const modules = join(directory, 'node_modules');
  await mkdir(modules);
  await linkDependencies(modules);
  // These are links to folders of the checkout they stand in.
  const own = join(modules, '@watchword');
  await cp(join(installed, '@watchword'), own, { recursive: true, verbatimSymlinks: true });
  return {
    path: directory,
    file,
    async write(path, text) {
      await mkdir(dirname(file(path)), { recursive: true });
      await writeFile(file(path), text);
    },
    async replace(path, text, by) {
      const before = await readFile(file(path), 'utf8');
      if (!before.includes(text)) throw new Error(`${path} does not hold: ${text}`);
      await writeFile(
        file(path),
        before.replace(text, () => by),
      );
    },
    async run(...args) {
      const options = { cwd: directory, env: cleanEnvironment() };
      const ended = promisify(execFile)(process.execPath, args, options);
      return ended.then(
        ({ stdout }) => stdout,
        ({ message, stdout }) => Promise.reject(new Error(`${message}${stdout}`)),
      );
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}
