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
  /** Applied, but unknown here: another release made them. */
  readonly unknown: readonly string[];
  /** Pending, though one that comes after them is applied. */
  readonly overtaken: readonly string[];
}

export async function schemaState(db: Kysely<Schema>): Promise<SchemaState> {
  const known = Object.keys(migrations);
  const applied = await appliedMigrations(db);
  const pending = known.filter((name) => !applied.includes(name));
  const last = applied.at(-1) ?? '';
  return {
    applied,
    pending,
    unknown: applied.filter((name) => !known.includes(name)),
    overtaken: pending.filter((name) => name < last),
  };
}

/** Why this release cannot work with the migrations that a database has; `undefined` when it can. */
export function schemaFault({ applied, unknown, overtaken }: SchemaState): string | undefined {
  const last = Object.keys(migrations).at(-1) ?? '';
  if (unknown.some((name) => name > last)) {
    return `was written by a newer release of Watchword: it has the migrations ${unknown.join(', ')}, which this release does not know. Run the newer release, or restore the backup made before the upgrade.`;
  }
  if (unknown.length > 0) {
    return `was written by another version of Watchword than the released ones: it has the migrations ${unknown.join(', ')}, which this release does not know. Run that version, or restore a backup made before it.`;
  }
  if (overtaken.length > 0) {
    return `has the migration ${applied.at(-1)} already, and lacks ${overtaken.join(', ')}, which would have come before it. A migration that is added gets the next free number, here ${nextNumber(applied)}.`;
  }
  return undefined;
}

function nextNumber(applied: readonly string[]): string {
  const numbers = [...applied, ...Object.keys(migrations)].map((name) => Number.parseInt(name, 10));
  return String(Math.max(...numbers) + 1).padStart(4, '0');
}

/** Applies what is pending, all or nothing; resolves with the names of what was applied. */
export async function migrateToLatest(db: Kysely<Schema>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableName,
    migrationLockTableName,
    // The order is that of the names and was looked at before. Kysely goes by the times at which they were applied, and
    // would refuse a database that was migrated while the clock of the machine was wrong.
    allowUnorderedMigrations: true,
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
