import { type Kysely, sql } from 'kysely';
import type { Sharding } from '../../../schema/column-types.ts';
import type { Engine } from './engine.ts';

/** How an engine stores tables by shard; `undefined` for one without shards. */
export function shardingOf(engine: Engine): Sharding | undefined {
  return engine === 'postgresql' ? undefined : { citus, yugabytedb, cockroachdb }[engine];
}

const shardType = sql`smallint`;

/**
 * The key begins with the id, so that an index finds a row whose shard a statement does not name; the column that distributes needs
 * no place of its own in the key. The first table of rows with a shard is the one with which all others are placed.
 */
const citus: Sharding = {
  shardType,
  keyOf: (key) => [...key, 'shard'],
  async distribute(db, table, column) {
    const beside = column === 'shard' && table !== firstTable ? firstTable : 'none';
    await sql`select create_distributed_table(${sql.lit(table)}, ${sql.lit(column)}, colocate_with => ${sql.lit(beside)})`.execute(
      db,
    );
  },
};

const firstTable = 'authorization_grant';

/** The first column of a key distributes: it is hashed. */
const yugabytedb: Sharding = {
  shardType,
  keyOf: (key) => ['shard', ...key],
  distribute: (db, table, column, key) => indexById(db, table, column, key, ''),
};

/** Rows are ordered by their key, so the shard comes first. */
const cockroachdb: Sharding = {
  shardType,
  keyOf: (key) => ['shard', ...key],
  distribute: (db, table, column, key) => indexById(db, table, column, key, 'using hash'),
};

/** For statements that do not name the shard: those of administration and the purge. Ids grow with the time, so they are hashed. */
async function indexById(
  db: Kysely<unknown>,
  table: string,
  column: string,
  [first = '']: readonly string[],
  method: string,
): Promise<void> {
  if (column !== 'shard' || first !== 'id') return;
  await sql`create index ${sql.raw(`${table}_id on ${table} (id) ${method}`)}`.execute(db);
}
