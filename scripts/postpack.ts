import { existsSync, renameSync, rmSync } from 'node:fs';

/** The package.json of the checkout, while the published one is in its place. */
export const unpackedManifest = 'package.unpacked.json';

/** Undoes what `prepack.ts` did to the package in the working directory, also after it was interrupted. */
export function restorePackage(): void {
  if (!existsSync(unpackedManifest)) return;
  renameSync(unpackedManifest, 'package.json');
  rmSync('LICENSE');
}

if (import.meta.main) restorePackage();
