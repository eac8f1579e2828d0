import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { Schema } from './schema.ts';

const migrationTableName = 'schema_migration';
const migrationLockTableName = 'schema_migration_lock';

/** How the database's schema stands to the one of this release. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied, but unknown here: a newer release made them. */
  readonly unknown: readonly string[];
}

export async function schemaState(db: Kysely<Schema>): Promise<SchemaState> {
  const known = Object.keys(migrations);
  const applied = await appliedMigrations(db);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Applies what is pending, all or nothing; resolves with the names of what was applied. */
export async function migrateToLatest(db: Kysely<Schema>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableName,
    migrationLockTableName,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}

async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === migrationTableName)) return [];
  const rows = await db
    .withTables<{ [migrationTableName]: { name: string } }>()
    .selectFrom(migrationTableName)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
