import { type Kysely, sql } from 'kysely';
import type { Sharding } from '../../../schema/column-types.ts';
import { applyMigrations, type MigrationExtent } from '../../../schema/migrate.ts';
import type { Schema } from '../../../schema/schema.ts';
import { postgresqlColumnTypes } from '../column-types.ts';
import { type Engine, hasAdvisoryLocks } from './engine.ts';

/** How an engine stores tables by shard; `undefined` for one without shards. */
function shardingOf(engine: Engine): Sharding | undefined {
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

interface Migrated {
  readonly db: Kysely<Schema>;
  readonly engine: Engine;
}

/** The key of an advisory lock: "WWRD". */
const migrationLock = 0x57575244;

/**
 * Applies pending migrations in one transaction, all or nothing. Nodes that start at the same time wait for the first one, and
 * find its work done. The lock is one of the database and not of a table, because in an empty database there is none.
 */
export function migrateTogether({ db, engine }: Migrated, extent: MigrationExtent): Promise<string[]> {
  const types = { ...postgresqlColumnTypes, sharding: shardingOf(engine) };
  return db.transaction().execute(async (transaction) => {
    if (hasAdvisoryLocks(engine))
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
    return applyMigrations(transaction, types, extent);
  });
}
