import type { Clock, Random } from '@watchword/protocol';
import type { HotObserver } from '../hot/batch-spans.ts';
import type { MovableDatabase } from '../moving/movable-database.ts';
import { type MoveProgress, type MoveReport, moveData } from '../moving/move-data.ts';
import type { Inspection, MigrationExtent, MigrationReport } from '../schema/migrate.ts';
import { countRecords, type RecordCounts } from '../schema/record-counts.ts';
import type { DatabaseCheck, ServerStore, Store } from '../store/store.ts';
import { shownUrl } from './postgresql/connection/url.ts';
import type { PostgresqlSettings } from './postgresql/options.ts';
import { checkSqlite, inspectSqlite } from './sqlite/check.ts';
import { memoryDatabase, openMemoryServerStore } from './sqlite/memory.ts';
import { withMovableSqlite } from './sqlite/moving.ts';
import { migrateSqlite, openSqliteServerStore, openSqliteStore } from './sqlite/open.ts';
import { type WriterThread, writerThread } from './sqlite/threads/writer.ts';
import { readUntouched } from './sqlite/untouched.ts';

/** A database, of the dialect that its name tells. */
export interface DatabaseOptions {
  /** A URL that begins with `postgres://` or `postgresql://`, or else the path of a SQLite file. */
  readonly database: string;
  /** How PostgreSQL is used. SQLite has no such settings. */
  readonly postgresql?: Partial<PostgresqlSettings> | undefined;
}

export interface StoreOptions extends DatabaseOptions {
  readonly clock: Clock;
  /**
   * Whether the clock is that of this machine. PostgreSQL then corrects it by its own clock, which all processes on the database
   * share. Default: no.
   */
  readonly isMachineClock?: boolean | undefined;
}

export interface ServerStoreOptions extends StoreOptions {
  /** Called with the number of writes of each commit. */
  readonly onCommit?: (batchSize: number) => void;
  readonly observer?: HotObserver | undefined;
  /** The release of the server, which {@link inspect} shows. */
  readonly release?: string | undefined;
  /** Of a database in memory: fills its keys, in place of the random numbers of this machine. */
  readonly random?: Random | undefined;
  /** From {@link prepareServerStore} for the same database. */
  readonly prepared?: PreparedServerStore | undefined;
}

/** What an opening takes and what can begin before it. Disposal ends it unless a database was opened with it. */
export type PreparedServerStore = WriterThread;

export type Dialect = 'sqlite' | 'postgresql';

export function dialectOf(database: string): Dialect {
  return /^postgres(?:ql)?:\/\//.test(database) ? 'postgresql' : 'sqlite';
}

/** The database for messages: the file, or the URL without its password and parameters. */
export function shownDatabase(database: string): string {
  return dialectOf(database) === 'sqlite' ? database : shownUrl(database);
}

/** Opens the database for a command-line tool, also while servers run. It must have been migrated. @throws DatabaseOpenError */
export async function openStore({ database, postgresql, ...options }: StoreOptions): Promise<Store> {
  if (dialectOf(database) === 'sqlite') return openSqliteStore({ file: database, ...options });
  const { openPostgresqlStore } = await loadPostgresql();
  return openPostgresqlStore({ url: database, settings: postgresql, ...options });
}

/**
 * Begins what {@link openServerStore} would wait for, while the caller does other work. The database is not touched.
 *
 * @returns `undefined` where nothing can begin earlier
 */
export function prepareServerStore(database: string): PreparedServerStore | undefined {
  return dialectOf(database) === 'sqlite' ? writerThread() : undefined;
}

/**
 * Opens the database for a server, migrates it and loads the registered records. {@link memoryDatabase} makes an empty one, for tests.
 *
 * @throws DatabaseOpenError
 */
export async function openServerStore({
  database,
  postgresql,
  prepared,
  ...options
}: ServerStoreOptions): Promise<ServerStore> {
  if (database === memoryDatabase) return openMemoryServerStore(options);
  if (dialectOf(database) === 'sqlite') {
    return openSqliteServerStore({ file: database, thread: prepared, ...options });
  }
  const { openPostgresqlServerStore } = await loadPostgresql();
  return openPostgresqlServerStore({ url: database, settings: postgresql, ...options });
}

/** Applies pending migrations; the extent `none` only reports them. @throws DatabaseOpenError */
export async function migrate({
  database,
  postgresql,
  extent,
}: DatabaseOptions & { readonly extent: MigrationExtent | 'none' }): Promise<MigrationReport> {
  if (dialectOf(database) === 'sqlite') return migrateSqlite(database, extent);
  const { migratePostgresql } = await loadPostgresql();
  return migratePostgresql({ url: database, settings: postgresql }, extent);
}

/** Compares a database with this release, also while servers run. Nothing is made or changed. @throws DatabaseOpenError */
export async function inspect({ database, postgresql }: DatabaseOptions): Promise<Inspection> {
  if (dialectOf(database) === 'sqlite') return inspectSqlite(database);
  const { inspectPostgresql } = await import('./postgresql/inspect.ts');
  return inspectPostgresql({ url: database, settings: postgresql });
}

/** Counts the records of a migrated database, also while servers run. Nothing is made or changed. @throws DatabaseOpenError */
export async function recordCounts({ database, postgresql }: DatabaseOptions): Promise<RecordCounts> {
  if (dialectOf(database) === 'sqlite') return readUntouched(database, countRecords);
  const { countPostgresql } = await import('./postgresql/inspect.ts');
  return countPostgresql({ url: database, settings: postgresql });
}

/** Searches for what is wrong with the database, also while servers run. @throws DatabaseOpenError */
export async function checkDatabase({ database, postgresql, clock }: StoreOptions): Promise<DatabaseCheck> {
  if (dialectOf(database) === 'sqlite')
    return { checked: ['every page and every index'], findings: checkSqlite(database), warnings: [] };
  const { checkPostgresql } = await import('./postgresql/check.ts');
  return checkPostgresql({ url: database, settings: postgresql, clock });
}

/**
 * Copies all rows of a database to an empty one, and compares them. No server may use the two meanwhile.
 *
 * @throws DatabaseOpenError
 */
export function moveBetween(
  from: DatabaseOptions,
  to: DatabaseOptions,
  onProgress: (progress: MoveProgress) => void,
): Promise<MoveReport> {
  return withMovable(from, 'source', (source) =>
    withMovable(to, 'target', (target) => moveData(source, target, onProgress)),
  );
}

async function withMovable<Value>(
  { database, postgresql }: DatabaseOptions,
  role: 'source' | 'target',
  work: (database: MovableDatabase) => Promise<Value>,
): Promise<Value> {
  if (dialectOf(database) === 'sqlite') return withMovableSqlite(database, role, work);
  const { withMovablePostgresql } = await import('./postgresql/moving.ts');
  return withMovablePostgresql({ url: database, settings: postgresql }, role, work);
}

/** Loaded here, so that a process with SQLite starts without the driver. */
function loadPostgresql() {
  return import('./postgresql/open.ts');
}
