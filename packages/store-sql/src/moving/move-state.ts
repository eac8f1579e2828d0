import { type Kysely, sql } from 'kysely';
import type { DatabaseValue } from '../hot/columns.ts';
import type { ColumnTypes } from '../schema/column-types.ts';
import { unfinishedMove } from '../schema/migrate.ts';
import { createTable } from '../schema/migrations/create-table.ts';
import type { Schema } from '../schema/schema.ts';
import { tableNames } from '../schema/table-names.ts';
import type { MovedTable } from './moved-tables.ts';

/** The key of a row, in the order of the columns of the key. */
export type Position = readonly DatabaseValue[];

const stateTable = 'data_move';

/** How far the rows of each table were copied. The target has this table until the move has ended. */
interface StateSchema extends Schema {
  [stateTable]: { table_name: string; last_key: string; copied_rows: number };
}

/** Where the copying of a table goes on. */
export interface Copied {
  readonly rows: number;
  readonly last: Position;
}

/** @returns `undefined` if no move into this database has begun */
export async function copiedSoFar(db: Kysely<Schema>): Promise<Map<string, Copied> | undefined> {
  if (!(await tableNames(db)).has(stateTable)) return undefined;
  const rows = await stateOf(db).selectFrom(stateTable).selectAll().execute();
  return new Map(
    rows.map(({ table_name, last_key, copied_rows }) => [
      table_name,
      { rows: copied_rows, last: toPosition(last_key) },
    ]),
  );
}

/** In the transaction that empties the tables with first rows. */
export async function beginMove(db: Kysely<Schema>, types: ColumnTypes): Promise<void> {
  await createTable(db as Kysely<unknown> & Kysely<Schema>, types, stateTable, {
    table_name: 'text',
    last_key: 'text',
    copied_rows: 'integer',
  });
  await db.updateTable('schema_requirement').set({ migration_name: unfinishedMove }).execute();
}

/** In the transaction that inserts the rows. */
export async function noteCopied(
  db: Kysely<Schema>,
  { table }: MovedTable,
  { rows, last }: Copied,
): Promise<void> {
  const state = { last_key: toText(last), copied_rows: rows };
  await stateOf(db)
    .insertInto(stateTable)
    .values({ table_name: table, ...state })
    .onConflict((conflict) => conflict.column('table_name').doUpdateSet(state))
    .execute();
}

/** @param required the requirement of the source */
export async function endMove(db: Kysely<Schema>, required: string): Promise<void> {
  await db.updateTable('schema_requirement').set({ migration_name: required }).execute();
  await sql`drop table ${sql.table(stateTable)}`.execute(db);
}

function stateOf(db: Kysely<Schema>): Kysely<StateSchema> {
  return db as unknown as Kysely<StateSchema>;
}

function toText(position: Position): string {
  return JSON.stringify(
    position.map((value) => (value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value)),
  );
}

function toPosition(text: string): Position {
  const values: (string | number | null | [string])[] = JSON.parse(text);
  return values.map((value): DatabaseValue => (Array.isArray(value) ? Buffer.from(value[0], 'hex') : value));
}
