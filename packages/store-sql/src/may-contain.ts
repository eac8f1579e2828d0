import { type RawBuilder, sql } from 'kysely';

// In the JSON of a column these stand as escapes.
const escapedInJson = /["\\\p{Cc}]/u;
const ascii = /^\p{ASCII}*$/u;

/**
 * Leaves out rows whose columns cannot contain the text of a search. It decides rows in ASCII, whose letters every database
 * lowers in the same way. All others can contain a text that is compared in another form, and the caller looks at them.
 *
 * @param text in the form of searches, which is ASCII for an ASCII text
 * @param columns texts, or JSON that has the texts
 */
export function mayContain(
  text: string | undefined,
  columns: readonly [string, ...string[]],
): RawBuilder<boolean> {
  if (text === undefined || escapedInJson.test(text)) return sql<boolean>`true`;
  const isNotAscii = eachOf(columns, (column) => sql`octet_length(${column}) <> length(${column})`);
  if (!ascii.test(text)) return sql<boolean>`(${isNotAscii})`;
  const pattern = `%${text.replace(/[!%_]/g, '!$&')}%`;
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
  return sql<boolean>`(${mayContain(text, [owner])} or ${sql.ref(client)} in
    (select found.id from client as found where ${mayContain(text, ['found.client_name', 'found.client_id'])}))`;
}
