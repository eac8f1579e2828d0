import { type Kysely, sql } from 'kysely';
import type { DatabaseValue } from '../hot/columns.ts';
import type { Schema } from '../schema/schema.ts';

/** A table, and an order in which an index or the table itself has all of its rows. */
export interface OrderedTable {
  readonly table: keyof Schema;
  /** SQL condition of the rows. */
  readonly where: string;
  readonly key: readonly string[];
  /** Smaller than the key of any row. */
  readonly start: readonly DatabaseValue[];
}

// Number of rows in a window, which are read in one or two milliseconds.
const size = 1000;

/**
 * Reads a whole table in windows, so that other statements can run between them. A row that is inserted in the meantime is in
 * one window or in none.
 *
 * @param select reads the rows of a window, with a SQL condition
 */
export async function* tableWindows<Row>(
  db: Kysely<Schema>,
  { table, where, key, start }: OrderedTable,
  select: (condition: ReturnType<typeof sql<boolean>>) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const isAfter = (position: readonly DatabaseValue[]) =>
    sql<boolean>`${sql.raw(where)} and (${columns}) > (${sql.join(position)})`;
  let position: readonly DatabaseValue[] | undefined = start;
  while (position !== undefined) {
    const after = isAfter(position);
    const last = await lastOfWindow(db, table, key, after);
    yield await select(last === undefined ? after : sql`${after} and (${columns}) <= (${sql.join(last)})`);
    position = last;
  }
}

/** The key of the last row of a full window; `undefined` when the window goes to the end. */
async function lastOfWindow(
  db: Kysely<Schema>,
  table: keyof Schema,
  key: readonly string[],
  condition: ReturnType<typeof sql<boolean>>,
): Promise<DatabaseValue[] | undefined> {
  let query = db
    .selectFrom(table)
    .select(key.map((column) => sql.ref<DatabaseValue>(column).as(column)))
    .where(condition)
    .limit(1)
    .offset(size - 1);
  for (const column of key) query = query.orderBy(sql.ref(column));
  const row = await query.executeTakeFirst();
  return row && key.map((column) => (row as Record<string, DatabaseValue>)[column] ?? null);
}
