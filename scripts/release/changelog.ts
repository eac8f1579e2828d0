import { type Change, type Kind, kinds } from './changes.ts';
import { type Section, sections } from './sections.ts';

const unreleased = '[Unreleased]';

export interface Release {
  readonly version: string;
  /** `2026-11-26` */
  readonly date: string;
  readonly changes: readonly Change[];
}

/**
 * CHANGELOG.md with a release: what stands under "Unreleased", and the lines of the changesets, below a heading of its own.
 *
 * @throws Error when the changelog has that version already, or a heading that no changelog has
 */
export function withRelease(changelog: string, { version, date, changes }: Release): string {
  const [head, ...entries] = sections(changelog, 2);
  if (entries.some(({ title }) => isOf(version, title)))
    throw new Error(`CHANGELOG.md has ${version} already`);
  const pending = entries.find(({ title }) => title === unreleased)?.text ?? '';
  const groups = sections(pending, 3);
  const strange = groups.slice(1).find(({ title }) => !kinds.some((kind) => kind === title));
  if (strange !== undefined)
    throw new Error(`CHANGELOG.md, Unreleased: expected ${kinds.join(', ')}, got "${strange.title}"`);
  const notes = changes.some(({ note }) => note !== undefined)
    ? `Operators must act: [upgrade notes](docs/upgrading.md#${anchorOf(version)}).`
    : '';
  const parts = [groups[0]?.text ?? '', notes, ...kinds.map((kind) => groupOf(kind, groups, changes))];
  const released = {
    title: `[${version}] - ${date}`,
    text: parts.filter((part) => part !== '').join('\n\n'),
  };
  const older = entries.filter(({ title }) => title !== unreleased);
  const all = [{ title: unreleased, text: '' }, released, ...older];
  return `${[head?.text ?? '', ...all.map(shown)].join('\n\n')}\n`;
}

/**
 * What the changelog says about a release, with its heading.
 *
 * @throws Error when it says nothing
 */
export function entryOf(changelog: string, version: string): string {
  const entry = sections(changelog, 2).find(({ title }) => isOf(version, title));
  if (entry === undefined)
    throw new Error(`CHANGELOG.md: expected "## [${version}] - DATE". Run: npm run release:version`);
  return `${shown(entry)}\n`;
}

/** The anchor of the heading of a version: without its dots. */
export function anchorOf(version: string): string {
  return version.replaceAll('.', '');
}

function groupOf(kind: Kind, groups: readonly Section[], changes: readonly Change[]): string {
  const written = groups.find(({ title }) => title === kind)?.text;
  const texts = [written, ...changes.map(({ lines }) => lines[kind])].filter((text) => text !== undefined);
  return texts.length === 0 ? '' : `### ${kind}\n\n${texts.join('\n')}`;
}

function isOf(version: string, title: string): boolean {
  return title.startsWith(`[${version}] - `);
}

function shown({ title, text }: Section): string {
  return text === '' ? `## ${title}` : `## ${title}\n\n${text}`;
}
