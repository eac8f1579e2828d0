import { type RawBuilder, sql } from 'kysely';
import { containing, hasName, isIndexed, isNotIndexed, searchedKeys } from '../schema/search-columns.ts';

const ascii = /^\p{ASCII}*$/u;

/**
 * Leaves out rows whose columns cannot contain the text of a search. It decides rows in ASCII, whose letters every database
 * lowers in the same way. All others can contain a text that is compared in another form, and the caller looks at them.
 *
 * @param text in the form of searches, which is ASCII for an ASCII text
 */
export function mayContain(text: string, columns: readonly [string, ...string[]]): RawBuilder<boolean> {
  const isNotAscii = eachOf(columns, (column) => sql`octet_length(${column}) <> length(${column})`);
  if (!ascii.test(text)) return sql<boolean>`(${isNotAscii})`;
  const pattern = containing(text);
  return sql<boolean>`(${eachOf(columns, (column) => sql`lower(${column}) like ${pattern} escape '!'`)} or ${isNotAscii})`;
}

function eachOf(columns: readonly string[], condition: (column: RawBuilder<unknown>) => RawBuilder<unknown>) {
  return sql.join(
    columns.map((column) => condition(sql.ref(column))),
    sql` or `,
  );
}

/** The record ids of the clients that have the text in a name, so many at most. */
export function clientsNamed(text: string, limit: number): RawBuilder<unknown> {
  return searchedKeys('client', 'id', hasName(text, 'client'), sql`limit ${limit}`);
}

/**
 * Whether the client has the text in a name.
 *
 * @param id column with its record id
 * @param ofFewRows looks at one client for each row. By the equality alone PostgreSQL would first make a table of all clients with the
 *   text, which pays for many rows only
 */
export function isOfClientNamed(text: string, id: string, ofFewRows: boolean): RawBuilder<boolean> {
  const isClient = ofFewRows
    ? sql`client.id = ${sql.ref(id)} and client.id >= ${sql.ref(id)}`
    : sql`client.id = ${sql.ref(id)}`;
  const isIn = (half: RawBuilder<boolean>) =>
    sql`exists (select 1 from client where ${isClient} and ${half} and ${hasName(text, 'client')})`;
  return sql<boolean>`(${isIn(isIndexed)} or ${isIn(isNotIndexed)})`;
}
