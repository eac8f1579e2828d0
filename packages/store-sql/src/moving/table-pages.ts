import { type Kysely, sql } from 'kysely';
import type { DatabaseValue } from '../hot/columns.ts';
import type { Schema } from '../schema/schema.ts';
import type { Row, TableReader } from './movable-database.ts';
import type { MovedTable } from './moved-tables.ts';

// A row of a table of tokens has about 200 bytes, an audit event some thousand.
const rowsPerPage = 1000;

/** The key of a row, in the order of the columns of the key. */
export type Position = readonly DatabaseValue[];

/**
 * Reads a table in the order of its key. The next page is read while the caller works on one.
 *
 * @param after the key of the last row that is not needed
 */
export async function* tablePages(
  reader: TableReader,
  moved: MovedTable,
  after: Position | undefined,
): AsyncGenerator<readonly Row[]> {
  const read = (position: Position | undefined) =>
    readPage(reader.db, moved, position).catch((error) => {
      throw reader.explain(error);
    });
  let next = read(after);
  for (;;) {
    const rows = await next;
    const last = rows.at(-1);
    if (last === undefined) return;
    next = rows.length < rowsPerPage ? Promise.resolve([]) : read(positionOf(moved, last));
    // The caller can stop before it asks for the next page.
    next.catch(() => {});
    yield rows;
  }
}

export function positionOf({ key }: MovedTable, row: Row): Position {
  return key.map((column) => row[column] ?? null);
}

async function readPage(
  db: Kysely<Schema>,
  { table, key }: MovedTable,
  after: Position | undefined,
): Promise<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let query = db.selectFrom(table).selectAll().limit(rowsPerPage);
  if (after !== undefined) query = query.where(sql<boolean>`(${columns}) > (${sql.join(after)})`);
  for (const column of key) query = query.orderBy(sql.ref(column));
  const rows = (await query.execute()) as unknown as Row[];
  // The number of a shard follows from the key, and only some databases have it.
  return rows.map(({ shard: _, ...row }) => row);
}
