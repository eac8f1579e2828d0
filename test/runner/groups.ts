import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** Test files of one folder that share a process: paths from the root. */
export type Group = readonly string[];

const patterns = ['packages/*/test/**/*.test.ts', 'examples/test/**/*.test.ts', 'test/**/*.test.ts'];

/** The packages whose tests have a database. */
const withDatabase = /^packages\/(?:store-sql|server|saml|resource-server|console)\//;

/**
 * Folders whose groups take longest go first, so that no processor waits for the last process. A group takes long because of
 * its work, or because it waits for disks and timers (`store-sql`).
 */
const longestFirst = [
  'test',
  'packages/console/',
  'packages/store-sql/',
  'packages/server/',
  'examples/',
  'packages/saml/',
  'packages/resource-server/',
];

/** The test files below the root whose paths begin with one of `paths`; all when there are none. */
export function testFiles(root: string, paths: readonly string[]): string[] {
  return globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
    .toSorted();
}

/** Whether the tests of the file have a database, so that they run over each kind of it. */
export function hasDatabase(file: string): boolean {
  return withDatabase.test(file);
}

/** Divides files into groups of one folder, of even size, at most `size`. The same files make the same groups. */
export function groupFiles(files: readonly string[], size: number): Group[] {
  const folders = Object.groupBy(files, (file) => dirname(file));
  return Object.keys(folders)
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .flatMap((folder) => evenParts(folders[folder] ?? [], size));
}

function rank(folder: string): number {
  const index = longestFirst.findIndex((start) => folder.startsWith(start));
  return index === -1 ? longestFirst.length : index;
}

function evenParts(files: readonly string[], size: number): Group[] {
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, index) =>
    files.slice(Math.round((index * files.length) / count), Math.round(((index + 1) * files.length) / count)),
  );
}
