import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Mutex } from '../../../work/waiting.ts';
import { toSqliteError } from '../files/sqlite-errors.ts';
import { toStoreError } from '../files/store-errors.ts';
import { DatabaseThread } from './database-thread.ts';
import { openReader, type ReaderSettings } from './open-reader.ts';
import type { ReaderConnection, ReaderRequest } from './reader-thread.ts';
import { runQuery } from './run-query.ts';
import type { QueryAnswer, SharedConnection, SqlConnection } from './thread-messages.ts';
import { WaitingThread } from './waiting-thread.ts';

/** Connections that only read. */
export interface SqliteReader {
  /** For single statements. */
  readonly statements: SqlConnection;
  /** For transactions, one at a time. */
  readonly snapshots: SharedConnection;
  close(): Promise<void>;
}

/** Reads in a separate thread, so that long lists do not delay requests. */
export function threadReader(settings: ReaderSettings): SqliteReader {
  let thread: Promise<DatabaseThread<ReaderRequest>> | undefined;
  const started = () => {
    thread ??= openThread(settings).catch((error: unknown) => {
      thread = undefined;
      throw error;
    });
    return thread;
  };
  const connection = (name: ReaderConnection): SqlConnection => ({
    query: async (sql, parameters) =>
      (await started()).ask({
        type: 'query',
        connection: name,
        sql,
        parameters,
      }) as Promise<QueryAnswer>,
  });
  return {
    statements: connection('statements'),
    snapshots: shared(connection('snapshots')),
    async close() {
      await (await thread)?.close({ type: 'close' });
    },
  };
}

async function openThread(settings: ReaderSettings): Promise<DatabaseThread<ReaderRequest>> {
  return new DatabaseThread(await new WaitingThread('#reader-thread').open(settings));
}

/** Reads in this thread, for command-line tools, which have no other work. @param own the connection for single statements */
export function localReader(settings: ReaderSettings, own: DatabaseSync): SqliteReader {
  let snapshots: DatabaseSync | undefined;
  return {
    statements: localConnection(own),
    snapshots: shared({
      async query(sql, parameters) {
        snapshots ??= openReader(settings);
        return localConnection(snapshots).query(sql, parameters);
      },
    }),
    async close() {
      snapshots?.close();
    },
  };
}

export function shared(connection: SqlConnection): SharedConnection {
  return { ...connection, mutex: new Mutex() };
}

/** Runs statements immediately on a connection of this thread. */
export function localConnection(db: DatabaseSync): SqlConnection {
  return {
    async query(sql: string, parameters: readonly SQLInputValue[]) {
      try {
        return runQuery(db, sql, parameters);
      } catch (error) {
        throw toStoreError(toSqliteError(error));
      }
    },
  };
}
