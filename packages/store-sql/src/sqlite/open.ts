import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, StoreUnavailableError } from '@watchword/protocol';
import { Kysely } from 'kysely';
import { GroupCommit } from '../group-commit.ts';
import { MemoryRegistry } from '../memory-registry.ts';
import { migrateToLatest, type SchemaState, schemaFault, schemaState } from '../migrate.ts';
import { reap } from '../reaper.ts';
import { RegistryFeed } from '../registry-feed.ts';
import type { Schema } from '../schema.ts';
import type { MigrationReport, ServerStore, Store } from '../store.ts';
import { sqliteConfiguration } from './configuration.ts';
import { sqliteDialect } from './dialect.ts';
import { type SqliteFault, toFault } from './faults.ts';
import { sqlitePorts } from './ports.ts';
import { ServerLock } from './server-lock.ts';
import { DatabaseOpenError, toOpenError } from './store-errors.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';
import { SqliteWriter } from './writer.ts';
import type { WriterSettings } from './writer-thread.ts';

// Two waits for a foreign lock fit into the five seconds within which a token request must be answered.
const busyTimeout = 2000;
const commitTimeout = 4000;
const registryPollInterval = 250;
const checkTimeout = 2000;

export interface SqliteOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Told the number of writes of each commit. */
  readonly onCommit?: (batchSize: number) => void;
}

/** Opens the database for a command-line tool: beside a running server, and only if it is there. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  requireFile(options.file);
  return withWriter(options, { mayCreate: false }, async (writer, db) => {
    const { pending } = await knownSchema(options.file, db);
    if (pending.length > 0) {
      throw new DatabaseOpenError(
        `The database ${options.file} lacks the migrations ${pending.join(', ')}. Run "watchword migrate", or start the server, which does so.`,
      );
    }
    return assemble(options, writer, db);
  });
}

/** Opens the database for the one server that it may have, migrates it and loads its configuration. */
export async function openSqliteServerStore(options: SqliteOptions): Promise<ServerStore> {
  createDirectory(options.file);
  const lock = ServerLock.acquire(options.file);
  try {
    return await withWriter(options, { mayCreate: true }, async (writer, db) => {
      const migrated = await bringUpToDate(options.file, writer, db);
      await proveWritable(db);
      return await serverStore(options.file, assemble(options, writer, db), db, migrated, lock);
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Brings the schema up to this release, or with `dryRun` only says what that would take. */
export async function migrateSqlite(file: string, dryRun: boolean): Promise<MigrationReport> {
  if (dryRun) requireFile(file);
  else createDirectory(file);
  return withWriter({ file }, { mayCreate: !dryRun }, async (writer, db) => {
    await knownSchema(file, db);
    const migrated = dryRun ? [] : await bringUpToDate(file, writer, db);
    const { applied, pending } = await schemaState(db);
    await writer.close();
    return { applied, pending, migrated };
  });
}

async function bringUpToDate(file: string, writer: SqliteWriter, db: Kysely<Schema>): Promise<string[]> {
  await knownSchema(file, db);
  // Kept in the file: readers and the writer do not wait for each other.
  await writer.query('pragma journal_mode = wal', []);
  return migrateToLatest(db);
}

interface AssembledStore extends Store {
  readonly reader: DatabaseSync;
}

function assemble(options: SqliteOptions, writer: SqliteWriter, db: Kysely<Schema>): AssembledStore {
  const reader = new DatabaseSync(options.file, { readOnly: true, timeout: busyTimeout });
  const writes = new GroupCommit<WriteOperation, WriteResult>({
    commit: (operations) => writer.commit(operations),
    chunkSize: 24,
    maxPending: 10_000,
    timeout: commitTimeout,
  });
  return {
    reader,
    ...sqlitePorts({ reader, writes, db, clock: options.clock }),
    reap: (reapOptions) => reap(db, reapOptions),
    async close() {
      await writes.idle();
      reader.close();
      await writer.close();
    },
  };
}

async function serverStore(
  file: string,
  { reader, ...store }: AssembledStore,
  db: Kysely<Schema>,
  migrated: readonly string[],
  lock: ServerLock,
): Promise<ServerStore> {
  const registry = new MemoryRegistry();
  const opened = identity(file);
  const feed = new RegistryFeed(registry, sqliteConfiguration(reader));
  feed.refresh();
  return {
    ...store,
    async transact(work) {
      const value = await store.transact(work);
      feed.refresh();
      return value;
    },
    registry,
    migrated,
    registryStatistics: () => registry.statistics(),
    watchRegistry: (onError) => feed.start(registryPollInterval, onError),
    refreshRegistry: async () => feed.refresh(),
    check: sharedCheck(async () => {
      if (identity(file) !== opened)
        throw new StoreUnavailableError(`the file ${file} was removed or replaced`);
      const answered = db.selectFrom('configuration').select('revision').executeTakeFirstOrThrow();
      const late = new StoreUnavailableError('the database does not answer');
      await Promise.race([answered, rejectAfter(checkTimeout, late)]);
    }),
    async close() {
      feed.stop();
      await store.close();
      lock.release();
    },
  };
}

/** Opens the connection that writes; whatever fails before `work` is done is told as opening advice. */
async function withWriter<Opened>(
  { file, onCommit = () => {} }: Pick<SqliteOptions, 'file' | 'onCommit'>,
  { mayCreate }: Pick<WriterSettings, 'mayCreate'>,
  work: (writer: SqliteWriter, db: Kysely<Schema>) => Promise<Opened>,
): Promise<Opened> {
  const writer = await SqliteWriter.open({ file, busyTimeout, mayCreate }, onCommit);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writer) });
  try {
    return await work(writer, db);
  } catch (error) {
    await writer.close();
    throw isFault(error) ? toOpenError(file, error.cause) : error;
  }
}

function isFault(error: unknown): error is StoreUnavailableError & { cause: SqliteFault } {
  return error instanceof StoreUnavailableError && typeof error.cause === 'object' && error.cause !== null;
}

async function proveWritable(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('configuration')
    .set((update) => ({ id: update.ref('id') }))
    .execute();
}

/** Which file a path leads to; `undefined` when there is none. */
function identity(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Askers that come while a check is under way get its answer: however many ask, one waits. */
function sharedCheck(check: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

function rejectAfter(milliseconds: number, reason: Error): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(reason), milliseconds).unref();
  });
}

function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new DatabaseOpenError(
    `There is no database at ${file}. Run "watchword migrate" to create it, start the server, or name another file with --database.`,
  );
}

function createDirectory(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseOpenError(
      `Cannot create the directory of the database ${file}: ${toFault(error).message}. Correct the permissions, or name another file with --database.`,
    );
  }
}

/** @throws DatabaseOpenError for a database with migrations that this release cannot work with */
async function knownSchema(file: string, db: Kysely<Schema>): Promise<SchemaState> {
  const state = await schemaState(db);
  const fault = schemaFault(state);
  if (fault === undefined) return state;
  throw new DatabaseOpenError(`The database ${file} ${fault} Nothing was changed.`);
}
