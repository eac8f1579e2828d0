import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@watchword/server-testkit/process';
import { type CheckoutCopy, copyCheckout } from './checkout-copy.ts';
import { linkDependencies } from './link-dependencies.ts';
import { pack } from './pack.ts';
import { runNode } from './run-node.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of the packages that are published. */
export const published = globSync('packages/*/package.json', { cwd: root })
  .filter((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).private !== true)
  .map((file) => dirname(file).replace(/^packages./, ''));

/** The directory of a user who has installed every published package. */
export interface InstalledPackages extends AsyncDisposable {
  /** The copy in which they were packed. */
  readonly copy: CheckoutCopy;
  /** The directory, and a file in it. */
  readonly path: string;
  file(name: string): string;
  /** The packed file of a package. */
  tarball(name: string): string;
  /** The folder of a package in `node_modules`. */
  folder(name: string): string;
  /** Runs a command of Node.js in the directory. Resolves with its output. @throws Error with its output when it fails */
  run(...args: readonly string[]): Promise<string>;
}

export async function installPackages(): Promise<InstalledPackages> {
  const [copy, user] = await Promise.all([copyCheckout(), temporaryDirectory()]);
  const tarballs = await pack(copy, published);
  const folder = (name: string) => join(user.path, 'node_modules', '@watchword', name);
  await mkdir(join(user.path, 'node_modules'));
  await linkDependencies(join(user.path, 'node_modules'));
  for (const [name, tarball] of Object.entries(tarballs)) {
    await mkdir(folder(name), { recursive: true });
    await promisify(execFile)('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder(name)]);
  }
  return {
    copy,
    path: user.path,
    file: user.file,
    tarball: (name) => tarballs[name] ?? '',
    folder,
    run: (...args) => runNode(args, user.path),
    async [Symbol.asyncDispose]() {
      await copy[Symbol.asyncDispose]();
      await user[Symbol.asyncDispose]();
    },
  };
}
