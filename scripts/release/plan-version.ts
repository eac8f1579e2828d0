import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withRelease } from './changelog.ts';
import { readChanges } from './changes.ts';
import { nextManifests } from './next-manifests.ts';
import { withNotes } from './upgrade-notes.ts';

/** Files that repeat the version of the packages, beside package.json files and the lock file. */
export const repeatingVersion = [
  'package.json',
  'deploy/helm/watchword/Chart.yaml',
  'packages/*/README.md',
  'packages/*/src/user-agent.ts',
  'test/deploy/chart/*.yaml',
];

export interface VersionPlan {
  readonly version: string;
  /** New texts of files, by their paths in the checkout. */
  readonly files: ReadonlyMap<string, string>;
  /** The changesets that it uses up. */
  readonly removed: readonly string[];
}

/**
 * What the checkout becomes for its next release, by its changesets. Changes nothing.
 *
 * @param date of the release, as 2026-11-26
 * @throws Error when there is no changeset, or a wrong one
 */
export function planVersion(checkout: string, date: string): VersionPlan {
  const read = (file: string) => readFileSync(join(checkout, file), 'utf8');
  const changes = readChanges(checkout);
  if (changes.length === 0)
    throw new Error(
      '.changeset has no change to release. docs/recipes/change.md explains how to describe one.',
    );
  const manifests = nextManifests(checkout);
  const from = currentVersion(checkout);
  const version: string = JSON.parse(manifests.get('packages/server/package.json') ?? '').version;
  const release = { version, date, changes };
  const repeating = globSync(repeatingVersion, { cwd: checkout })
    .map((file) => [file.replaceAll('\\', '/'), read(file)] as const)
    .map(([file, text]) => [file, withVersion(text, from, version)] as const)
    .filter(([file, text]) => text !== read(file));
  return {
    version,
    files: new Map([
      ...manifests,
      ...repeating,
      ['package-lock.json', lockWith(read('package-lock.json'), manifests, version)],
      ['CHANGELOG.md', withRelease(read('CHANGELOG.md'), release)],
      ['docs/upgrading.md', withNotes(read('docs/upgrading.md'), release)],
    ]),
    removed: changes.map(({ id }) => `.changeset/${id}.md`),
  };
}

/** All public packages have this version. */
export function currentVersion(checkout: string): string {
  return JSON.parse(readFileSync(join(checkout, 'packages/server/package.json'), 'utf8')).version;
}

function withVersion(text: string, from: string, to: string): string {
  const whole = new RegExp(`(?<![\\d.])${from.replaceAll('.', '\\.')}(?!\\d|\\.\\d)`, 'g');
  return text.replaceAll(whole, to);
}

interface Locked {
  version?: string;
  [list: string]: unknown;
}

/** The entries of the workspace say what its manifests say. */
function lockWith(lock: string, manifests: ReadonlyMap<string, string>, version: string): string {
  const content: { version: string; packages: Record<string, Locked> } = JSON.parse(lock);
  content.version = version;
  const root = content.packages[''];
  if (root !== undefined) root.version = version;
  for (const [file, text] of manifests) {
    const manifest: Locked = JSON.parse(text);
    const entry = content.packages[file.replace('/package.json', '')];
    if (entry === undefined) throw new Error(`package-lock.json has no ${file}: run npm install`);
    for (const field of ['version', 'dependencies', 'devDependencies'])
      if (entry[field] !== undefined) entry[field] = manifest[field];
  }
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
