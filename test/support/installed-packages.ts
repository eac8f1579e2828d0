import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { packPackages, publicPackages } from '../../scripts/public-packages.ts';
import { type CheckoutCopy, copyCheckout } from './checkout-copy.ts';
import { linkDependencies } from './link-dependencies.ts';
import { runNode } from './run-node.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of the packages that are published. */
export const published = publicPackages(root);

/** Where the tests pack, in the variables of GitHub Actions. */
export const repositoryVariables = {
  GITHUB_SERVER_URL: 'https://github.example',
  GITHUB_REPOSITORY: 'organization/watchword',
};

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
  const env = { ...cleanEnvironment(), ...repositoryVariables };
  const tarballs = await packPackages(copy.path, published, { destination: copy.path, env });
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
