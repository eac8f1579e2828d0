import { type Clock, StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import { Kysely } from 'kysely';
import { GroupCommit } from '../../group-commit.ts';
import { migrateToLatest, type SchemaState, schemaFault, schemaState } from '../../migrate.ts';
import { purge } from '../../purge.ts';
import type { Schema } from '../../schema.ts';
import type { MigrationReport, ServerStore, Store } from '../../store.ts';
import { sqliteColumnTypes } from './column-types.ts';
import { sqliteDialect } from './dialect.ts';
import { type SqliteFault, toFault } from './faults.ts';
import { createDirectory, requireFile } from './files.ts';
import { openReader } from './open-reader.ts';
import { sqlitePorts } from './ports.ts';
import { localReader, type SqliteReader, threadReader } from './reader.ts';
import { ServerLock } from './server-lock.ts';
import { type AssembledStore, serverStore } from './server-store.ts';
import { DatabaseOpenError, toOpenError } from './store-errors.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';
import { WriteProof } from './write-proof.ts';
import { SqliteWriter } from './writer.ts';
import type { WriterSettings } from './writer-thread.ts';

// Two waits for a foreign lock fit into the five seconds within which a token request must be answered.
const busyTimeout = 2000;
const commitTimeout = 4000;

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
    return assemble(options, writer, localReader({ file: options.file, busyTimeout }));
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
      const lists = threadReader({ file: options.file, busyTimeout });
      return serverStore(options.file, assemble(options, writer, lists), migrated, lock);
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
  return migrateToLatest(db, sqliteColumnTypes);
}

function assemble(options: SqliteOptions, writer: SqliteWriter, lists: SqliteReader): AssembledStore {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writer, lists) });
  const reader = openReader({ file: options.file, busyTimeout });
  const proof = new WriteProof((bytes) => writes.add(['proveWritable', bytes]));
  const writes = new GroupCommit<WriteOperation, WriteResult>({
    commit: (operations) => proof.note(writer.commit(operations)),
    chunkSize: 24,
    maxPending: 10_000,
    timeout: commitTimeout,
  });
  return {
    reader,
    proof,
    ...sqlitePorts({ reader, writes, db, clock: options.clock }),
    purge: (purgeOptions) =>
      purge(db, { ...purgeOptions, worked: () => writer.worked, committed: () => writer.committed }),
    async close() {
      await writes.idle();
      reader.close();
      await lists.close();
      await writer.close();
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
    throw openErrorOf(file, error);
  }
}

/** Also what this thread's own connection throws. */
function openErrorOf(file: string, error: unknown): unknown {
  if (isFault(error)) return toOpenError(file, error.cause);
  return error instanceof Error && 'errcode' in error ? toOpenError(file, toFault(error)) : error;
}

function isFault(error: unknown): error is Error & { cause: SqliteFault } {
  const isOfStore = error instanceof StoreUnavailableError || error instanceof StoreDamagedError;
  return isOfStore && typeof error.cause === 'object' && error.cause !== null;
}

async function proveWritable(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('registry_revision')
    .set((update) => ({ id: update.ref('id') }))
    .execute();
}

/** @throws DatabaseOpenError for a database with migrations that this release cannot work with */
async function knownSchema(file: string, db: Kysely<Schema>): Promise<SchemaState> {
  const state = await schemaState(db);
  const fault = schemaFault(state);
  if (fault === undefined) return state;
  throw new DatabaseOpenError(`The database ${file} ${fault} Nothing was changed.`);
}
