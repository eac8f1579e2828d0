import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The page that lists all pages. The navigation of the site is read from it. */
export const contentsFile = 'docs/README.md';

/** A group of the navigation. */
export interface Group {
  readonly title: string;
  /** One sentence. */
  readonly lead: string;
  readonly entries: readonly Entry[];
}

/** A page of the navigation. */
export interface Entry {
  readonly title: string;
  /** File of the checkout, as `docs/guides/pages.md`, with the heading if the entry is a part: `README.md#endpoints`. */
  readonly target: string;
  readonly entries: readonly Entry[];
}

export function read(file: string): string {
  return readFileSync(`${root}${file}`, 'utf8');
}

/** Reads the groups of {@link contentsFile}. An entry that names a folder has the pages of the folder below it. */
export function readContents(text: string = read(contentsFile)): Group[] {
  return [...text.matchAll(/^## (.*)\n\n(.*)\n\n((?: *- .*\n?)+)/gm)].map(
    ([, title = '', lead = '', list = '']) => ({ title, lead, entries: entriesOf(list) }),
  );
}

function entriesOf(list: string): Entry[] {
  const top: { title: string; target: string; entries: Entry[] }[] = [];
  for (const [, indent = '', title = '', link = ''] of list.matchAll(/^( *)- \[(.*?)\]\((.*?)\)/gm)) {
    const target = posix.join(dirname(contentsFile), link);
    const entry = { title, target, entries: isFolder(target) ? pagesOf(target) : [] };
    const above = indent === '' ? undefined : top.at(-1);
    (above?.entries ?? top).push(entry);
  }
  return top;
}

/** Whether an entry stands for a folder of pages. */
export function isFolder(target: string): boolean {
  return !basename(target).includes('.');
}

function pagesOf(folder: string): Entry[] {
  return globSync('*.md', { cwd: `${root}${folder}` })
    .toSorted()
    .map((file) => `${folder}/${file}`)
    .map((target) => ({ title: titleOf(read(target)), target, entries: [] }));
}

/** The first heading of a page, without the marks of Markdown. */
export function titleOf(text: string): string {
  return (/^# (.*)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');
}

/** All entries, with those below others. */
export function everyEntry(groups: readonly Pick<Entry, 'entries'>[]): Entry[] {
  return groups.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...everyEntry([entry])]));
}
