import type { Kysely } from 'kysely';
import { DatabaseOpenError } from './database-open-error.ts';
import { missingMigrations, type SchemaState, schemaProblem, schemaState } from './migrate.ts';
import type { Schema } from './schema.ts';

/**
 * @param shown the database, for messages
 * @throws DatabaseOpenError for a database with migrations that this release cannot work with
 */
export async function knownSchema(db: Kysely<Schema>, shown: string): Promise<SchemaState> {
  const state = await schemaState(db);
  const problem = schemaProblem(state);
  if (problem === undefined) return state;
  throw new DatabaseOpenError(`The database ${shown} ${problem} Nothing was changed.`);
}

/** For a tool, which migrates nothing. @throws DatabaseOpenError for a database without the migrations of this release */
export async function requireMigrated(db: Kysely<Schema>, shown: string): Promise<void> {
  const missing = missingMigrations(await knownSchema(db, shown));
  if (missing.length === 0) return;
  throw new DatabaseOpenError(
    `The database ${shown} lacks the migrations ${missing.join(', ')}. Run "watchword migrate", or start the server, which does so.`,
  );
}

/** Fails at the start, and not at the first request, where nothing can be written. */
export async function proveWritable(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('registry_revision')
    .set((update) => ({ id: update.ref('id') }))
    .execute();
}
