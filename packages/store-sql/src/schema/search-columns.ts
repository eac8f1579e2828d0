import { fold } from '@watchword/protocol';
import { type RawBuilder, sql } from 'kysely';

/** By which a search finds the row. */
export interface SearchColumns {
  /** The searched texts in the form of searches, as `searchText` writes them; null if no release that knows it has written the row. */
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
  return { search_text: searchText(names, texts), search_revision: revision };
}

/** The column `search_text` of a row. @param names by which rows that belong to it are found too @param texts all others */
export function searchText(names: readonly string[], texts: readonly string[]): string {
  return [names, texts].map((list) => list.map(fold).join('\n')).join(afterNames);
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

// An entry of an index of PostgreSQL has 2704 bytes. Each half of the rows has an index of its own (migrations/0011).
export const isIndexed = sql<boolean>`octet_length(search_text) <= 1500`;
export const isNotIndexed = sql<boolean>`(${isIndexed}) is not true`;

/**
 * The keys of the rows that a search returns. It reads an index with the texts that fit into it, and the few rows with longer texts, or
 * without one.
 *
 * @param key column
 * @param condition on the columns of the table
 * @param end order and limit of the keys
 */
export function searchedKeys(
  table: string,
  key: string,
  condition: RawBuilder<boolean>,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const part = (half: RawBuilder<boolean>) =>
    sql`select * from (select ${sql.ref(`${table}.${key}`)} from ${sql.table(table)} where ${half} and ${condition} ${end}) as part`;
  return sql`(${part(isIndexed)} union all ${part(isNotIndexed)})`;
}
