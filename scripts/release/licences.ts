import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productionPackages } from '../production-packages.ts';
import { publicPackages } from '../public-packages.ts';

/** Licences of others under which their code can be distributed together with code under Apache-2.0, by their names in SPDX. */
const compatible: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
]);

/** A package of others that users get. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** As SPDX; empty when the package does not say. */
  readonly licence: string;
}

/** What npm installs together with the public packages, in the versions of package-lock.json. */
export function installedDependencies(checkout: string): Dependency[] {
  const lock = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')).packages;
  const names = publicPackages(checkout).map((name) => `@watchword/${name}`);
  return productionPackages(checkout, names).others.map((folder) => ({
    name: folder.replace(/^.*node_modules\//, ''),
    version: lock[folder].version,
    licence: lock[folder].license ?? '',
  }));
}

/**
 * What the files of the administration GUI contain.
 *
 * @param licences the file that the build writes beside them
 */
export function bundledDependencies(licences: string): Dependency[] {
  return [...licences.matchAll(/^## (\S+) - (\S+) \((.*)\)$/gm)].map(
    ([, name = '', version = '', licence = '']) => ({
      name,
      version,
      licence,
    }),
  );
}

/** The dependencies whose licence is not known to be compatible. */
export function licenceProblems(dependencies: readonly Dependency[]): string[] {
  return dependencies
    .filter(
      ({ licence }) =>
        !licence
          .replace(/^\((.*)\)$/, '$1')
          .split(' OR ')
          .some((one) => compatible.has(one)),
    )
    .map(
      ({ name, version, licence }) => `${name} ${version}: expected a compatible licence, got "${licence}"`,
    );
}
