import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@watchword/protocol';
import { Kysely } from 'kysely';
import { countedSegments } from '../../grants/token-segments.ts';
import type { HotObserver } from '../../hot/batch-spans.ts';
import type { EmptyTable } from '../../purge/issued.ts';
import {
  applicableMigrations,
  applyMigrations,
  type MigrationExtent,
  type MigrationReport,
  migrationReport,
  schemaState,
} from '../../schema/migrate.ts';
import { knownSchema, proveWritable, requireMigrated } from '../../schema/required-schema.ts';
import type { Schema } from '../../schema/schema.ts';
import { type AssembledStore, assembleStore } from '../../store/assemble-store.ts';
import { serverStore } from '../../store/server-store.ts';
import type { ServerStore, Store } from '../../store/store.ts';
import { sqliteColumnTypes } from './column-types.ts';
import { sqliteDialect } from './dialect.ts';
import { examine } from './examine.ts';
import { freeBeside, requireFile, sizeOf } from './files/files.ts';
import { damageAdvice, openErrorOf } from './files/store-errors.ts';
import { requireTables, sqliteHotWork } from './hot-work.ts';
import { lockDatabase, makeIfMissing } from './make-database.ts';
import { ServerLock } from './server-lock.ts';
import { openReader } from './threads/open-reader.ts';
import { localConnection, localReader, type SqliteReader, shared, threadReader } from './threads/reader.ts';
import { SqliteWriter, type WriterThread } from './threads/writer.ts';
import { readUntouched } from './untouched.ts';

// Milliseconds to wait for another process's lock.
export const busyTimeout = 2000;
// Milliseconds between two looks at the file of the lock.
const lockInterval = 1000;

export interface SqliteOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Called with the number of writes of each commit. */
  readonly onCommit?: (batchSize: number) => void;
  readonly observer?: HotObserver | undefined;
  /** Of a server: its release, which `inspect` shows. */
  readonly release?: string | undefined;
  /** A thread that has begun before. Default: a new one. */
  readonly thread?: WriterThread | undefined;
}

/** Opens the database for a command-line tool, also while a server runs. The file must exist. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  requireFile(options.file);
  return withWriter(options, async (writer, db) => {
    await requireMigrated(db, options.file);
    const settings = { file: options.file, busyTimeout };
    const reader = openReader(settings);
    requireTables(reader);
    return assemble(options, writer, reader, localReader(settings, reader));
  });
}

/** Opens the database for a server, migrates it and loads the registered records. A database has at most one server. */
export async function openSqliteServerStore(options: SqliteOptions): Promise<ServerStore> {
  const { lock, made } = await lockDatabase(options.file, 'all', options.release);
  try {
    return await withWriter(options, async (writer, db) => {
      const migrated = [...made, ...(await bringUpToDate(options.file, writer, db, 'all'))];
      await proveWritable(db);
      const settings = { file: options.file, busyTimeout };
      const reader = openReader(settings);
      requireTables(reader);
      const keeping = keepLock(lock, writer);
      return serverStore(assemble(options, writer, reader, threadReader(settings)), {
        migrated,
        damageAdvice,
        examine: (signal) => examine(options.file, signal),
        size: () => sizeOf(options.file),
        free: () => freeBeside(options.file),
        release() {
          clearInterval(keeping);
          lock.release();
        },
      });
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Two servers would each answer from records that the other one changes. So the one that has lost the lock writes no more. */
function keepLock(lock: ServerLock, writer: SqliteWriter): NodeJS.Timeout {
  const keeping = setInterval(() => {
    try {
      lock.keep();
    } catch (error) {
      clearInterval(keeping);
      writer.refuse(
        `The lock file of the database was deleted, and another server has started, so this one writes nothing any more. ${String(error)} Then restart this one.`,
      );
    }
  }, lockInterval);
  return keeping.unref();
}

/** @param extent the migrations to apply; `none` only reports them */
export async function migrateSqlite(
  file: string,
  extent: MigrationExtent | 'none',
): Promise<MigrationReport> {
  if (extent === 'none')
    return readUntouched(file, async (db) => migrationReport(await knownSchema(db, file), []));
  const made = await makeIfMissing(file, extent);
  return withWriter({ file }, async (writer, db) => {
    const migrated = [...made, ...(await bringUpToDate(file, writer, db, extent))];
    const report = migrationReport(await schemaState(db), migrated);
    await writer.close();
    return report;
  });
}

/** Applies pending migrations. */
export async function bringUpToDate(
  file: string,
  writer: SqliteWriter,
  db: Kysely<Schema>,
  extent: MigrationExtent,
): Promise<string[]> {
  const state = await knownSchema(db, file);
  // The setting is stored in the file. Readers and the writer do not wait for each other.
  await writer.query('pragma journal_mode = wal', []);
  if (applicableMigrations(state, extent).length === 0) return [];
  return applyMigrations(db, sqliteColumnTypes, extent);
}

function assemble(
  { file, clock, observer }: SqliteOptions,
  writer: SqliteWriter,
  reader: DatabaseSync,
  lists: SqliteReader,
): AssembledStore {
  return assembleStore({
    hot: sqliteHotWork(writer, reader),
    commits: { chunkSize: 24, underWay: 1 },
    db: new Kysely<Schema>({ dialect: sqliteDialect(writer, lists) }),
    near: new Kysely<Schema>({ dialect: sqliteDialect(shared(localConnection(reader))) }),
    purging: new Kysely<Schema>({ dialect: sqliteDialect(writer.withoutSync, lists) }),
    clock,
    segments: countedSegments(),
    worked: () => writer.worked,
    committed: () => writer.committed,
    emptyTable,
    observer,
    async withoutServers(work) {
      const lock = ServerLock.acquire(file);
      try {
        return await work();
      } finally {
        lock.release();
      }
    },
    async close() {
      reader.close();
      await lists.close();
      await writer.close();
    },
  });
}

/** SQLite removes all rows of a table without reading them. */
export const emptyTable: EmptyTable = async (db, table) => {
  const { numDeletedRows } = await db.deleteFrom(table).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** Opens the connection that writes. An error before the end of `work` becomes an error with advice for the operator. */
export async function withWriter<Opened>(
  { file, onCommit = () => {}, thread }: Pick<SqliteOptions, 'file' | 'onCommit' | 'thread'>,
  work: (writer: SqliteWriter, db: Kysely<Schema>) => Promise<Opened>,
): Promise<Opened> {
  const writer = await SqliteWriter.open({ file, busyTimeout }, onCommit, thread);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writer) });
  try {
    return await work(writer, db);
  } catch (error) {
    await writer.close();
    throw openErrorOf(file, error);
  }
}
