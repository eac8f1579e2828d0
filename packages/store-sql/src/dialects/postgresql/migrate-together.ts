import type { Kysely } from 'kysely';
import { applyMigrations } from '../../migrate.ts';
import type { Schema } from '../../schema.ts';
import type { MigrationExtent } from '../../store.ts';
import { postgresqlColumnTypes } from './column-types.ts';
import { PostgresqlError } from './connection/postgresql-error.ts';
import { sqlState } from './connection/sql-state.ts';
import type { Engine } from './distributed/engine.ts';
import { shardingOf } from './distributed/sharding.ts';

/**
 * Applies all pending migrations in one transaction, all or nothing. Nodes that start at the same time wait for the first one:
 * at the row of the lock table, or in an empty database at the name of the first table, which both make. The one that
 * comes second there fails, and finds the work done when it tries again.
 */
export async function migrateTogether(
  db: Kysely<Schema>,
  engine: Engine,
  extent: MigrationExtent,
): Promise<string[]> {
  const types = { ...postgresqlColumnTypes, sharding: shardingOf(engine) };
  const migrate = () =>
    db.transaction().execute((transaction) => applyMigrations(transaction, types, extent));
  try {
    return await migrate();
  } catch (error) {
    if (!isFromAnotherNode(error)) throw error;
    return migrate();
  }
}

const raceCodes: ReadonlySet<string | undefined> = new Set([
  sqlState.uniqueViolation,
  sqlState.duplicateTable,
  sqlState.serializationFailure,
]);

function isFromAnotherNode(error: unknown): boolean {
  const { cause } = error as Error;
  return cause instanceof PostgresqlError && raceCodes.has(cause.code);
}
