import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReleaseFiles {
  /** Has the packages already. */
  readonly folder: string;
  readonly version: string;
  /** The entry of the changelog. */
  readonly notes: string;
  /** As `billOfMaterials()` makes it. */
  readonly bill: string;
}

/** Writes what a release has beside its packages, before it is signed: notes, list of contents, digests. */
export function writeReleaseFiles({ folder, version, notes, bill }: ReleaseFiles): void {
  writeFileSync(join(folder, 'NOTES.md'), notes);
  writeFileSync(join(folder, `watchword-${version}.cdx.json`), bill);
  const sums = readdirSync(folder)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}
