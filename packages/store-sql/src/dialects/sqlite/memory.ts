import { DatabaseSync } from 'node:sqlite';
import type { Random } from '@watchword/protocol';
import { Kysely } from 'kysely';
import { countedSegments } from '../../grants/token-segments.ts';
import type { Command, CommandResult } from '../../hot/command.ts';
import type { Schema } from '../../schema/schema.ts';
import { assembleStore } from '../../store/assemble-store.ts';
import { serverStore } from '../../store/server-store.ts';
import type { ServerStore } from '../../store/store.ts';
import { Mutex } from '../../work/waiting.ts';
import { makeTables, scriptOf } from './database-script.ts';
import { sqliteDialect } from './dialect.ts';
import { damageAdvice, toStoreError } from './files/store-errors.ts';
import { sqliteHotWork } from './hot-work.ts';
import { emptyTable, type SqliteOptions } from './open.ts';
import { commandCommitter } from './threads/commit-commands.ts';
import { localConnection, shared } from './threads/reader.ts';
import type { SharedConnection } from './threads/thread-messages.ts';

/** The name of a database that is in the memory of this process alone. SQLite has it for the same. */
export const memoryDatabase = ':memory:';

/** Of a server of tests, which nothing outlives. */
export interface MemoryOptions extends Omit<SqliteOptions, 'file' | 'thread'> {
  /** Fills the keys of the database, in place of the random numbers of this machine: so that a test can repeat them. */
  readonly random?: Random | undefined;
}

/**
 * Makes an empty database in memory, for a server. It has one connection, in this thread: no file, no lock, no thread to wait for.
 * A read beside an open transaction sees what that has written so far. Only the records that the server holds in memory wait for its end.
 */
export async function openMemoryServerStore(options: MemoryOptions): Promise<ServerStore> {
  const db = new DatabaseSync(memoryDatabase);
  try {
    const writer = new MemoryWriter(db, options.onCommit);
    const migrated = await makeTables(db, options.random);
    const size = db.prepare(
      'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
    );
    return await serverStore(assemble(options, db, writer), {
      migrated,
      damageAdvice,
      size: async () => Number(size.get()?.bytes),
      free: async () => undefined,
      release: () => {},
    });
  } catch (error) {
    db.close();
    throw error;
  }
}

function assemble({ clock, observer }: MemoryOptions, db: DatabaseSync, writer: MemoryWriter) {
  const direct = localConnection(db);
  const kysely = new Kysely<Schema>({
    dialect: sqliteDialect(writer, {
      statements: direct,
      snapshots: snapshots(db, writer),
      close: async () => {},
    }),
  });
  const hot = sqliteHotWork(writer, db);
  return assembleStore({
    // What is not committed can be undone, and would stay in the memory of the server.
    hot: { ...hot, changesSince: (revision) => writer.mutex.run(() => hot.changesSince(revision)) },
    commits: { chunkSize: 24, underWay: 1 },
    db: kysely,
    near: new Kysely<Schema>({ dialect: sqliteDialect(shared(direct)) }),
    purging: kysely,
    clock,
    segments: countedSegments(),
    worked: () => 0,
    committed: () => writer.committed,
    emptyTable,
    observer,
    withoutServers: (work) => work(),
    close: () => writer.mutex.run(async () => db.close()),
  });
}

/** A connection whose transactions read a copy: on that of the writer, all writes would wait for their end. */
function snapshots(db: DatabaseSync, writer: MemoryWriter): SharedConnection {
  let copy = db;
  return {
    mutex: new Mutex(),
    async query(sql, parameters) {
      if (sql !== 'begin') {
        const answer = await localConnection(copy).query(sql, parameters);
        if (sql === 'commit' || sql === 'rollback') copy.close();
        return answer;
      }
      copy = new DatabaseSync(memoryDatabase);
      await writer.mutex.run(async () => copy.exec(scriptOf(db)));
      return localConnection(copy).query(sql, parameters);
    },
  };
}

/** What a writer with a thread of its own is to a file. */
class MemoryWriter implements SharedConnection {
  readonly mutex = new Mutex();
  readonly query: SharedConnection['query'];
  readonly #commit: ReturnType<typeof commandCommitter>;
  readonly #onCommit: (batchSize: number) => void;
  #committed = 0;

  constructor(db: DatabaseSync, onCommit: (batchSize: number) => void = () => {}) {
    const { query } = localConnection(db);
    this.query = async (sql, parameters) => {
      const answer = await query(sql, parameters);
      // As they come from a thread: rows of SQLite itself have no prototype.
      return { ...answer, rows: answer.rows.map((row) => ({ ...(row as object) })) };
    };
    this.#commit = commandCommitter(db, () => {});
    this.#onCommit = onCommit;
  }

  get committed(): number {
    return this.#committed;
  }

  /** Waits for the end of an open transaction, of which the commands must not become a part. */
  commit(commands: readonly Command[]): Promise<readonly (CommandResult | Error)[]> {
    return this.mutex.run(async () => {
      const { results, isTogether } = this.#commit(commands);
      if (isTogether) this.#onCommit(commands.length);
      this.#committed += commands.length;
      return results.map((result) => (typeof result === 'number' ? result : toStoreError(result)));
    });
  }
}
