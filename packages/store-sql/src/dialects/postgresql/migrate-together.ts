import { type Kysely, sql } from 'kysely';
import type { MigrationExtent } from '../../schema/migrate.ts';
import { applyMigrations } from '../../schema/migrate.ts';
import type { Schema } from '../../schema/schema.ts';
import { postgresqlColumnTypes } from './column-types.ts';
import { type Engine, hasAdvisoryLocks } from './distributed/engine.ts';
import { shardingOf } from './distributed/sharding.ts';

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
