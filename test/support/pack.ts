import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment } from '@watchword/server-testkit/process';
import type { CheckoutCopy } from './checkout-copy.ts';

interface Packed {
  readonly name: string;
  readonly filename: string;
}

/**
 * Packs packages of a copy of the checkout, where nothing was built, as their users are told to. Resolves with the file of
 * each, by the names of their folders.
 */
export async function pack(copy: CheckoutCopy, names: readonly string[]): Promise<Record<string, string>> {
  const folders = names.flatMap((name) => ['-w', `packages/${name}`]);
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', ...folders], {
    cwd: copy.path,
    env: cleanEnvironment(),
    shell: process.platform === 'win32',
    // The list of all files of all packages.
    maxBuffer: 16 * 1024 * 1024,
  });
  const packed: readonly Packed[] = Object.values(JSON.parse(stdout));
  return Object.fromEntries(
    packed.map(({ name, filename }) => [name.replace('@watchword/', ''), join(copy.path, filename)]),
  );
}
