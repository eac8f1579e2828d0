import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const cli = join(dirname(createRequire(import.meta.url).resolve('@changesets/cli/package.json')), 'bin.js');

/** Every package.json of the workspace, as a path in the checkout. */
export function workspaceManifests(checkout: string): string[] {
  return globSync('{packages,examples}/*/package.json', { cwd: checkout }).map((file) =>
    file.replaceAll('\\', '/'),
  );
}

/**
 * The package.json files of the next release, as changesets writes them, by their paths. It runs on a copy of them, so nothing
 * changes.
 *
 * @throws Error with what changesets refuses
 */
export function nextManifests(checkout: string): ReadonlyMap<string, string> {
  const copy = mkdtempSync(join(tmpdir(), 'watchword-version-'));
  try {
    const manifests = workspaceManifests(checkout);
    for (const file of ['package.json', 'package-lock.json', '.changeset', ...manifests])
      cpSync(join(checkout, file), join(copy, file), { recursive: true });
    execFileSync(process.execPath, [cli, 'version'], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
    return new Map(manifests.map((file) => [file, readFileSync(join(copy, file), 'utf8')]));
  } finally {
    rmSync(copy, { recursive: true });
  }
}
