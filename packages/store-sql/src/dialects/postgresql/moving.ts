import { type Kysely, sql } from 'kysely';
import type { MovableDatabase, Row } from '../../moving/movable-database.ts';
import { keyOf } from '../../moving/moved-tables.ts';
import { schemaState } from '../../schema/migrate.ts';
import type { Schema } from '../../schema/schema.ts';
import { collectStatistics } from './collect-statistics.ts';
import { postgresqlColumnTypes } from './column-types.ts';
import { withoutPassword } from './connection/url.ts';
import { shardNumber } from './distributed/shard-number.ts';
import { bringUpToDate, type DatabaseOptions, toolName, withOpening } from './open.ts';
import { toOpenError } from './open-errors.ts';
import { withoutServers } from './without-servers.ts';

/** Opens a database whose rows are moved, or that gets them. Tables that are missing are made only in the target. */
export function withMovablePostgresql<Value>(
  options: DatabaseOptions,
  role: 'source' | 'target',
  work: (database: MovableDatabase) => Promise<Value>,
): Promise<Value> {
  return withOpening(options, toolName, (opening) => {
    const { url, db } = opening;
    const shown = withoutPassword(url);
    return withoutServers(db, shown, async () => {
      const { applied } = await schemaState(db);
      if (role === 'target' && applied.length === 0) await bringUpToDate(opening, 'all');
      const types = await columnTypes(db);
      const insert: MovableDatabase['insert'] = (within, table, rows) =>
        insertRows(within, table, rows, types);
      const explain = (error: unknown) => toOpenError(url, error);
      const result = await work({ db, explain, shown, types: postgresqlColumnTypes, insert });
      if (role === 'target' && opening.engine === 'postgresql') await collectStatistics(db);
      return result;
    });
  });
}

/** The type of each column, by table and column. */
type TypesByColumn = ReadonlyMap<string, string>;

async function columnTypes(db: Kysely<Schema>): Promise<TypesByColumn> {
  const tables = await db.introspection.getTables();
  return new Map(
    tables.flatMap(({ name, columns }) =>
      columns.map((column) => [`${name}.${column.name}`, column.dataType] as const),
    ),
  );
}

/** One statement with an array of values for each column: its text does not depend on the number of rows. */
async function insertRows(
  db: Kysely<Schema>,
  table: keyof Schema,
  rows: readonly Row[],
  types: TypesByColumn,
): Promise<void> {
  const placed = types.has(`${table}.shard`)
    ? rows.map((row) => ({ ...row, shard: shardOf(table, row) }))
    : rows;
  const columns = Object.keys(placed[0] ?? {});
  const arrays = columns.map((column) => {
    const values = placed.map((row: Row) => row[column] ?? null);
    return sql`${sql.val(values)}::${sql.raw(types.get(`${table}.${column}`) ?? 'text')}[]`;
  });
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) select * from unnest(${sql.join(arrays)})`.execute(db);
}

function shardOf(table: keyof Schema, row: Row): number {
  return shardNumber(keyOf(table).map((column) => row[column] ?? null));
}
