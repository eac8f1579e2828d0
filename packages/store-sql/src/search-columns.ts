import { fold } from '@watchword/protocol';
import { type RawBuilder, sql } from 'kysely';

/** By which a search finds the row. */
export interface SearchColumns {
  /** The searched texts in the form of searches, as `searchedText` writes them; null if no release that knows it has written the row. */
  search_text: string | null;
  /** The revision of the row of which the text is. Another one than that of the row: the text can be an old one. */
  search_revision: number;
}

// Names of a row are before it, so that one pattern finds a text in them alone.
const afterNames = '\n\n';

/** @param revision of the row @param names by which rows that belong to it are found too @param texts all others */
export function searchColumns(
  revision: number,
  names: readonly string[],
  texts: readonly string[],
): SearchColumns {
  const searched = [names, texts].map((list) => list.map(fold).join('\n'));
  return { search_text: searched.join(afterNames), search_revision: revision };
}

/** For a change that gives a row another revision, and leaves its texts as they are. */
export function withSameText(revision: number) {
  return { revision, search_revision: sql<number>`search_revision + ${revision} - revision` };
}

/** Leaves out rows that do not have the text. @param text in the form of searches */
export function hasText(text: string, table: string): RawBuilder<boolean> {
  return matches(containing(text), table);
}

/** Leaves out rows that do not have the text in their names. Others can stay, whose texts have an empty line. */
export function hasName(text: string, table: string): RawBuilder<boolean> {
  return matches(`${containing(text)}${afterNames}%`, table);
}

function matches(pattern: string, table: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(${column('search_revision')} <> ${column('revision')}
    or ${column('search_text')} like ${pattern} escape '!')`;
}

/** A pattern for `like … escape '!'`. */
export function containing(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`;
}
