import { type RawBuilder, sql } from 'kysely';
import { containing, hasName } from './search-columns.ts';

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

/** {@link mayContain} for what belongs to a client and a resource owner. @param client column of its record id @param owner that of the name */
export function namesMayContain(text: string, client: string, owner: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(client)} in ${clientsNamed(text)} or ${mayContain(text, [owner])})`;
}

/** The record ids of the clients that have the text in a name. */
export function clientsNamed(text: string): RawBuilder<unknown> {
  return sql`(select found.id from client as found where ${hasName(text, 'found')})`;
}
