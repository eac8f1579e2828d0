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
 * Packs packages in a copy of the checkout without builds, with the documented command. Resolves with the file of each
 * package, by the name of its folder.
 */
export async function pack(copy: CheckoutCopy, names: readonly string[]): Promise<Record<string, string>> {
  const folders = names.flatMap((name) => ['-w', `packages/${name}`]);
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', ...folders], {
    cwd: copy.path,
    env: cleanEnvironment(),
    shell: process.platform === 'win32',
    // The output lists all files of all packages.
    maxBuffer: 16 * 1024 * 1024,
  });
  const packed: readonly Packed[] = Object.values(JSON.parse(stdout));
  return Object.fromEntries(
    packed.map(({ name, filename }) => [name.replace('@watchword/', ''), join(copy.path, filename)]),
  );
}
