import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of `packages` in package-lock.json. */
interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type Lock = Readonly<Record<string, LockedPackage>>;

export interface ProductionPackages {
  /** Folders of packages of the workspace, from the root of the checkout. */
  readonly own: readonly string[];
  /** Folders of packages of others, from the root of the checkout. */
  readonly others: readonly string[];
}

/**
 * Everything that packages of the workspace need at run time, in the versions of package-lock.json.
 *
 * @param root folder of the checkout
 * @param names of packages of the workspace
 * @throws Error for a dependency that the lock file does not have
 */
export function productionPackages(root: string, names: readonly string[]): ProductionPackages {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const found = new Set<string>();
  const visit = (from: string, name: string, isOptional: boolean): void => {
    const place = placeOf(lock, from, name);
    if (place === undefined) {
      if (isOptional) return;
      throw new Error(
        `package-lock.json has no ${name}, which ${from || 'the image'} needs: run npm install`,
      );
    }
    const entry = lock[place];
    const folder = entry?.link === true ? (entry.resolved ?? place) : place;
    if (found.has(folder)) return;
    found.add(folder);
    const needed = lock[folder] ?? {};
    for (const dependency of Object.keys(needed.dependencies ?? {})) visit(folder, dependency, false);
    for (const dependency of Object.keys(needed.optionalDependencies ?? {})) visit(folder, dependency, true);
    for (const peer of Object.keys(needed.peerDependencies ?? {})) {
      // What is optional there is only for programs that bring it themselves.
      if (needed.peerDependenciesMeta?.[peer]?.optional !== true) visit(folder, peer, false);
    }
  };
  for (const name of names) visit('', name, false);
  const folders = [...found].sort();
  return {
    own: folders.filter((folder) => !isInstalled(folder)),
    others: folders.filter(isInstalled),
  };
}

function isInstalled(folder: string): boolean {
  return /(?:^|\/)node_modules\//.test(folder);
}

/** As Node.js looks for a package: in the `node_modules` of the folder, then in those of the folders above it. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)[^/]*$/, '')) {
    const place = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (lock[place] !== undefined) return place;
    if (folder === '') return undefined;
  }
}
