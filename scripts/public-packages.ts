import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The folders of the packages that are published, in `packages/` of a checkout. */
export function publicPackages(checkout: string): string[] {
  return globSync('packages/*/package.json', { cwd: checkout })
    .filter((file) => JSON.parse(readFileSync(join(checkout, file), 'utf8')).private !== true)
    .map((file) => dirname(file).replace(/^packages./, ''))
    .sort();
}

/** What `npm pack --json` prints about a package. */
interface Packed {
  readonly name: string;
  readonly filename: string;
}

export interface PackOptions {
  /** An existing folder. */
  readonly destination: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Builds and packs packages of a checkout, with the documented command.
 *
 * @param names folders in `packages/`
 * @returns the file of each package, by the name of its folder
 */
export async function packPackages(
  checkout: string,
  names: readonly string[],
  { destination, env = process.env }: PackOptions,
): Promise<Record<string, string>> {
  const folders = names.flatMap((name) => ['-w', `packages/${name}`]);
  const args = ['pack', '--json', '--pack-destination', destination, ...folders];
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: checkout,
    env,
    shell: process.platform === 'win32',
    // The output lists all files of all packages.
    maxBuffer: 16 * 1024 * 1024,
  });
  const packed: readonly Packed[] = Object.values(JSON.parse(stdout));
  return Object.fromEntries(
    packed.map(({ name, filename }) => [name.replace('@watchword/', ''), join(destination, filename)]),
  );
}
