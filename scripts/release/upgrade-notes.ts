import type { Release } from './changelog.ts';

const heading = '## Notes';

/**
 * docs/upgrading.md with what operators must do for a release: the newest release is the first one under "Notes". Without such a
 * change, the text stays as it is.
 */
export function withNotes(upgrading: string, { version, changes }: Release): string {
  const notes = changes.flatMap(({ note }) => (note === undefined ? [] : fromDocs(note)));
  if (notes.length === 0) return upgrading;
  const [before, after] = upgrading.split(`\n${heading}\n`);
  if (before === undefined || after === undefined)
    throw new Error(`docs/upgrading.md: expected one "${heading}"`);
  const [lead, ...older] = after.split(/^(?=### )/m);
  const note = `### ${version}\n\n${notes.join('\n\n')}`;
  return `${[`${before}\n${heading}\n${lead?.trimEnd()}`, note, ...older.map((one) => one.trimEnd())].join('\n\n')}\n`;
}

/** The links of changesets begin at the root of the checkout, and those of the guide in `docs`. */
function fromDocs(note: string): string {
  return note.replaceAll(/\]\((?![a-z]+:)([^)]+)\)/g, (_, link: string) =>
    link.startsWith('docs/') ? `](${link.slice('docs/'.length)})` : `](../${link})`,
  );
}
