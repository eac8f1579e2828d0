import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseChangesetFile } from '@changesets/parse';
import { sections } from './sections.ts';

/** The kinds of changes, in the order of a changelog (Keep a Changelog). */
export const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;
export type Kind = (typeof kinds)[number];

/** The heading of what operators must do before or after an upgrade. */
export const noteHeading = 'Operators must act';
/** What such a note says, in this order. */
export const noteParts = ['What changes', 'What to do', 'How to check'] as const;

/** A changeset: one change that users see, as its author describes it. */
export interface Change {
  /** File in `.changeset`, without its extension. */
  readonly id: string;
  /** Lists of lines of the changelog. */
  readonly lines: Readonly<Partial<Record<Kind, string>>>;
  /** For docs/upgrading.md. */
  readonly note: string | undefined;
}

/**
 * The changesets of a checkout, in the order of their names.
 *
 * @throws Error that lists every problem of every changeset
 */
export function readChanges(checkout: string): Change[] {
  const files = globSync('.changeset/*.md', { cwd: checkout }).filter(
    (file) => basename(file) !== 'README.md',
  );
  const read = files
    .sort()
    .map((file) => parseChange(basename(file, '.md'), readFileSync(join(checkout, file), 'utf8')));
  const problems = read.flatMap((found) => ('problems' in found ? found.problems : []));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return read.filter((found) => 'lines' in found);
}

/** @returns the change, or what its author must correct */
export function parseChange(id: string, text: string): Change | { readonly problems: readonly string[] } {
  const file = `.changeset/${id}.md`;
  const { releases, summary } = parseChangesetFile(text);
  const [lead, ...found] = sections(summary, 3);
  const lines: Partial<Record<Kind, string>> = {};
  const problems: string[] = [];
  let note: string | undefined;
  if (releases.length === 0)
    problems.push(`${file}: expected a package and its kind of version, as "@watchword/server": minor`);
  if ((lead?.text ?? '') !== '')
    problems.push(`${file}: expected a heading before "${lead?.text.split('\n', 1)}": ${known}`);
  for (const { title, text: body } of found) {
    if (title === noteHeading) note = body;
    else if (!isKind(title)) problems.push(`${file}: expected a heading of ${known}, got "${title}"`);
    else if (body.startsWith('- ')) lines[title] = body;
    else problems.push(`${file}: expected a list under "${title}", with "- " before each change`);
  }
  if (note !== undefined && !isNote(note))
    problems.push(
      `${file}: expected paragraphs under "${noteHeading}" that begin with ${noteParts.join(':, ')}:`,
    );
  if (Object.keys(lines).length === 0 && problems.length === 0)
    problems.push(`${file}: expected a heading of ${known}`);
  const ends = 'Removed' in lines || releases.some(({ type }) => type === 'major');
  if (ends && note === undefined)
    problems.push(
      `${file}: expected "### ${noteHeading}", because something ends (a major version, or "Removed")`,
    );
  return problems.length > 0 ? { problems } : { id, lines, note };
}

const known = kinds.map((kind) => `"### ${kind}"`).join(', ');

function isKind(title: string): title is Kind {
  return kinds.some((kind) => kind === title);
}

function isNote(note: string): boolean {
  const places = noteParts.map((part) => `\n${note}`.search(new RegExp(`\\n${part}: \\S`)));
  return places.every((place, index) => place > (places[index - 1] ?? -1));
}
