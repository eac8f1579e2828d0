import type { Kysely } from 'kysely';
import type { Migration as KyselyMigration } from 'kysely/migration';
import type { ColumnTypes } from './column-types.ts';
import type { Migration } from './migrations/migration.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';
import { tableNames } from './table-names.ts';

const migrationTableName = 'schema_migration';
const migrationLockTableName = 'schema_migration_lock';

/**
 * Which pending migrations are applied.
 *
 * - `expanding`: those with which nodes of older releases can go on
 * - `all`: also those that end them
 */
export type MigrationExtent = 'expanding' | 'all';

/** The migrations of a database, compared with this release, and those that were applied. */
export interface MigrationReport {
  readonly applied: readonly string[];
  readonly pending: readonly PendingMigration[];
  /** Applied by this call. */
  readonly migrated: readonly string[];
  /** Applied by a newer release, with which this release can go on. */
  readonly unknown: readonly string[];
}

export interface PendingMigration {
  readonly name: string;
  /** What changes, as one line. */
  readonly summary: string;
  /** Left out if nodes of every older release can go on; else nodes must know this migration. */
  readonly requires?: string;
}

/** The schemas that a release can serve, by the newest migration of each. */
export interface ServedSchemas {
  /** The migrations up to this one are needed. */
  readonly oldest: string;
  /** The newest migration that the release knows. */
  readonly newest: string;
}

/** What a database is to this release. It was only read. */
export interface Inspection extends Omit<MigrationReport, 'migrated'> {
  /** Why this release cannot use the database, as the end of a sentence about it. */
  readonly problem: string | undefined;
  readonly servers: readonly SeenServers[];
}

/** Servers of one release. */
export interface SeenServers {
  /** `undefined` if they do not tell. */
  readonly release: string | undefined;
  /** Number of their connections; `undefined` for the server that started last on a SQLite file, and may have ended. */
  readonly connections: number | undefined;
  /** Epoch milliseconds of the oldest connection, or of that start; `undefined` if this user may not see it. */
  readonly since: number | undefined;
}

/** The schema of a database, compared with the schema of this release. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Pending, and not needed by this release: older nodes could not go on after them. */
  readonly deferrable: readonly string[];
  /** Applied, but unknown to this release. */
  readonly unknown: readonly string[];
  /** Pending and needed, although a later migration is applied. */
  readonly overtaken: readonly string[];
  /** The newest migration that a release must know to serve the database; empty text if every release can. */
  readonly required: string;
}

/** A requirement that no release fulfils: the database has only a part of its rows, until `migrate-data` ends. */
export const unfinishedMove = 'unfinished-move';

/** The migrations that a release knows, by name. */
export type KnownMigrations = Readonly<Record<string, Migration>>;

export async function schemaState(
  db: Kysely<Schema>,
  knownMigrations: KnownMigrations = migrations,
): Promise<SchemaState> {
  const known = Object.keys(knownMigrations);
  const { applied, required } = await storedState(db);
  const pending = known.filter((name) => !applied.includes(name));
  const deferrable = pending.filter((name) => knownMigrations[name]?.requires !== undefined);
  const last = applied.at(-1) ?? '';
  return {
    applied,
    pending,
    deferrable,
    unknown: applied.filter((name) => !known.includes(name)),
    overtaken: pending.filter((name) => name < last && !deferrable.includes(name)),
    required,
  };
}

/** The pending migrations without which this release cannot serve the database. */
export function missingMigrations({ pending, deferrable }: SchemaState): string[] {
  return pending.filter((name) => !deferrable.includes(name));
}

/** The pending migrations that are to be applied. A database that is up to date has none, and its schema is not locked. */
export function applicableMigrations(state: SchemaState, extent: MigrationExtent): readonly string[] {
  return extent === 'all' ? state.pending : missingMigrations(state);
}

/** The reason why this release cannot use a database with these migrations; `undefined` if it can. */
export function schemaProblem(
  { applied, unknown, overtaken, required }: SchemaState,
  known: KnownMigrations = migrations,
): string | undefined {
  const names = Object.keys(known);
  const first = names[0] ?? '';
  const last = names.at(-1) ?? '';
  if (applied.length > 0 && !applied.includes(first)) {
    return `was made by a development version from before the first release of Watchword: it has the migrations ${applied.join(', ')}, and lacks ${first}, with which every database begins. Its content cannot be carried over. Move the file away or name another one with --database, run "watchword migrate" to make a new database, and register resource servers, clients and accounts again.`;
  }
  if (required === unfinishedMove) {
    return 'has only a part of its rows, because "watchword migrate-data" into it has not ended. Run the same command again: it continues where it stopped.';
  }
  if (required > last) {
    return `was written by a newer release of Watchword: it has the migrations ${unknown.join(', ')}, which this release does not know. It can be served by releases that know ${required}; this release knows the migrations up to ${last}. Run the newer release, or restore the backup made before the upgrade.`;
  }
  if (unknown.some((name) => name < last)) {
    return `was written by another version of Watchword than the released ones: it has the migrations ${unknown.join(', ')}, which this release does not know. Run that version, or restore a backup made before it.`;
  }
  if (overtaken.length > 0) {
    return `has the migration ${applied.at(-1)} already, and lacks ${overtaken.join(', ')}, which would have come before it. A migration that is added gets the next free number, here ${nextNumber([...applied, ...names])}.`;
  }
  return undefined;
}

function nextNumber(names: readonly string[]): string {
  const numbers = names.map((name) => Number.parseInt(name, 10));
  return String(Math.max(...numbers) + 1).padStart(4, '0');
}

/** Applies pending migrations, all or nothing. Resolves with their names. */
export async function applyMigrations(
  db: Kysely<Schema>,
  types: ColumnTypes,
  extent: MigrationExtent,
  known: KnownMigrations = migrations,
): Promise<string[]> {
  const { unknown, deferrable } = await schemaState(db, known);
  // A newer release has migrated the database, and this release can serve it as it is.
  if (unknown.length > 0) return [];
  const left = extent === 'all' ? [] : deferrable;
  const applicable = Object.entries(known).filter(([name]) => !left.includes(name));
  // Most starts apply none, and do without the code.
  const { Migrator } = await import('kysely/migration');
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(kyselyMigrations(applicable, types)) },
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

/** Whether a database was empty before these migrations. @param migrated their names */
export function wasEmpty(migrated: readonly string[]): boolean {
  const [first = ''] = Object.keys(migrations);
  return migrated.includes(first);
}

/** @param migrated names of the migrations that were just applied */
export function migrationReport(
  { applied, pending, unknown }: SchemaState,
  migrated: readonly string[],
  known: KnownMigrations = migrations,
): MigrationReport {
  return {
    applied,
    pending: pending.map((name) => {
      const { summary = '', requires } = known[name] ?? {};
      return { name, summary, ...(requires !== undefined && { requires }) };
    }),
    migrated,
    unknown,
  };
}

/** Compares the schema of a database with a release. */
export async function inspectSchema(
  db: Kysely<Schema>,
  known: KnownMigrations = migrations,
): Promise<Omit<Inspection, 'servers'>> {
  const state = await schemaState(db, known);
  const { migrated: _, ...report } = migrationReport(state, [], known);
  return { ...report, problem: schemaProblem(state, known) };
}

/** Which schemas a release can serve, and newer ones that do not require a migration after the newest. */
export function servedSchemas(known: KnownMigrations = migrations): ServedSchemas {
  const names = Object.keys(known);
  const expanding = names.filter((name) => known[name]?.requires === undefined);
  return { oldest: expanding.at(-1) ?? '', newest: names.at(-1) ?? '' };
}

function kyselyMigrations(
  entries: readonly (readonly [string, Migration])[],
  types: ColumnTypes,
): Record<string, KyselyMigration> {
  return Object.fromEntries(
    entries.map(([name, { up, requires }]) => [
      name,
      {
        async up(db) {
          await up(db, types);
          if (requires !== undefined) await raiseRequirement(db, requires);
        },
      },
    ]),
  );
}

async function raiseRequirement(db: Kysely<unknown>, required: string): Promise<void> {
  await db
    .withTables<Pick<Schema, 'schema_requirement'>>()
    .updateTable('schema_requirement')
    .set({ migration_name: required })
    .where('migration_name', '<', required)
    .execute();
}

async function storedState(db: Kysely<Schema>): Promise<Pick<SchemaState, 'applied' | 'required'>> {
  const tables = await tableNames(db);
  if (!tables.has(migrationTableName)) return { applied: [], required: '' };
  const rows = await db
    .withTables<{ [migrationTableName]: { name: string } }>()
    .selectFrom(migrationTableName)
    .select('name')
    .orderBy('name')
    .execute();
  const requirement = tables.has('schema_requirement')
    ? await db.selectFrom('schema_requirement').select('migration_name').executeTakeFirst()
    : undefined;
  return { applied: rows.map(({ name }) => name), required: requirement?.migration_name ?? '' };
}
