import type { Kysely } from 'kysely';
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration';
import type { ColumnTypes } from './column-types.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import type { Schema } from './schema.ts';

const migrationTableName = 'schema_migration';
const migrationLockTableName = 'schema_migration_lock';

/** The schema of a database, compared with the schema of this release. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied, but unknown to this release. */
  readonly unknown: readonly string[];
  /** Pending, although a later migration is applied. */
  readonly overtaken: readonly string[];
}

/** The migrations that a release knows, by name. */
export type KnownMigrations = Readonly<Record<string, Migration>>;

export async function schemaState(
  db: Kysely<Schema>,
  knownMigrations: KnownMigrations = migrations,
): Promise<SchemaState> {
  const known = Object.keys(knownMigrations);
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

/** The reason why this release cannot use a database with these migrations; `undefined` if it can. */
export function schemaProblem(
  { applied, unknown, overtaken }: SchemaState,
  known: KnownMigrations = migrations,
): string | undefined {
  const [first = '', ...others] = Object.keys(known);
  const last = others.at(-1) ?? first;
  if (applied.length > 0 && !applied.includes(first)) {
    return `was made by a development version from before the first release of Watchword: it has the migrations ${applied.join(', ')}, and lacks ${first}, with which every database begins. Its content cannot be carried over. Move the file away or name another one with --database, run "watchword migrate" to make a new database, and register resource servers, clients and accounts again.`;
  }
  if (unknown.some((name) => name > last)) {
    return `was written by a newer release of Watchword: it has the migrations ${unknown.join(', ')}, which this release does not know. Run the newer release, or restore the backup made before the upgrade.`;
  }
  if (unknown.length > 0) {
    return `was written by another version of Watchword than the released ones: it has the migrations ${unknown.join(', ')}, which this release does not know. Run that version, or restore a backup made before it.`;
  }
  if (overtaken.length > 0) {
    return `has the migration ${applied.at(-1)} already, and lacks ${overtaken.join(', ')}, which would have come before it. A migration that is added gets the next free number, here ${nextNumber([...applied, ...Object.keys(known)])}.`;
  }
  return undefined;
}

function nextNumber(names: readonly string[]): string {
  const numbers = names.map((name) => Number.parseInt(name, 10));
  return String(Math.max(...numbers) + 1).padStart(4, '0');
}

/** Applies all pending migrations, all or nothing. Resolves with their names. */
export async function migrateToLatest(
  db: Kysely<Schema>,
  types: ColumnTypes,
  known: KnownMigrations = migrations,
): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(withTypes(known, types)) },
    migrationTableName,
    migrationLockTableName,
    // The order is that of the names, and is already checked. Kysely uses the times at which migrations were applied, and
    // would reject a database that was migrated while the clock of the machine was wrong.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}

function withTypes(known: KnownMigrations, types: ColumnTypes): Record<string, KyselyMigration> {
  return Object.fromEntries(
    Object.entries(known).map(([name, { up }]) => [name, { up: (db) => up(db, types) }]),
  );
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
