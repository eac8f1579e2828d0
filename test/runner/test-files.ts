import { globSync, readFileSync } from 'node:fs';

const patterns = ['packages/*/test/**/*.test.ts', 'examples/test/**/*.test.ts', 'test/**/*.test.ts'];

/** The packages whose tests have a database. */
const withDatabase = /^packages\/(?:cli|doctor|store-sql|server|saml|upstream|resource-server|console)\//;

/** The tests whose databases have threads in every run: they are about them. */
const aboutThreads = /^packages\/(?:store-sql\/|server\/test\/start\/starting\.)/;

/** In the text of a test that locks its database: a server without threads stands still until it gets the lock. */
const locking = /write-lock|begin immediate/;

/** Ends the name of a file that is too slow for each change: `npm run test:all` has it, and `npm test` has not. */
const slow = '.slow.test.ts';

/** Beginnings of the paths of files that take long, so that no processor waits for the last file. */
const longestFirst = [
  'test/packages',
  'examples/',
  'test/',
  'packages/server/test/runtime/workers',
  'packages/server/test/browser/',
  'packages/console/',
  'packages/store-sql/',
  'packages/server/',
  'packages/cli/',
  'packages/doctor/',
  'packages/saml/',
  'packages/upstream/',
  'packages/resource-server/',
  'packages/test-server/',
];

/**
 * The test files below the root whose paths begin with one of `paths`. When there are none: all, or all that are not slow.
 * The longest come first.
 */
export function testFiles(root: string, paths: readonly string[], withSlow: boolean): string[] {
  const isChosen = (file: string) =>
    paths.length > 0 ? paths.some((path) => file.startsWith(path)) : withSlow || !file.endsWith(slow);
  return globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(isChosen)
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Whether the tests of the file have a database, so that they run over each kind of it. */
export function hasDatabase(file: string): boolean {
  return withDatabase.test(file);
}

/** Whether the databases of the file have threads, as those of a server that is not for tests: without, tests take a fifth less. */
export function hasThreads(file: string): boolean {
  if (process.env.TEST_THREADS === 'all' || file.endsWith(slow) || aboutThreads.test(file)) return true;
  return locking.test(readFileSync(file, 'utf8'));
}

/** The files whose tests have a browser, nearly all of them. */
const withBrowser = /^packages\/(?:console\/test\/|server\/test\/browser\/|testkit\/test\/browser\.)/;

/**
 * For each process a function that takes its next file, until none is left. Every fourth process begins with the files that have a browser,
 * and the others come to them last: a browser costs the first file of its process seconds.
 */
export function shareOut(files: readonly string[], processes: number): (() => string | undefined)[] {
  const browsing = files.filter((file) => withBrowser.test(file));
  const others = files.filter((file) => !withBrowser.test(file));
  return Array.from({ length: processes }, (_, index) => {
    const [first, second] = index % 4 === 0 ? [browsing, others] : [others, browsing];
    return () => first.shift() ?? second.shift();
  });
}

function rank(file: string): number {
  const index = longestFirst.findIndex((start) => file.startsWith(start));
  return index === -1 ? longestFirst.length : index;
}
