import { openReader, type ReaderSettings } from './open-reader.ts';
import { runQuery } from './run-query.ts';
import { answer, serveDatabases } from './serve-databases.ts';
import type { QueryRequest } from './thread-messages.ts';

/**
 * The thread that reads lists and statistics. A read of many rows must not delay the thread that answers requests, nor the
 * thread that writes. It imports nothing outside this package and Node.js.
 */

export interface ReaderRequest extends QueryRequest {
  readonly connection: ReaderConnection;
}

/** One connection for single statements and one for snapshots, because a single statement must not become part of one. */
export type ReaderConnection = 'statements' | 'snapshots';

serveDatabases<ReaderSettings, ReaderRequest>((settings, reply) => {
  const connections = { statements: openReader(settings), snapshots: openReader(settings) };
  return {
    receive(id, { connection, sql, parameters }) {
      answer(reply, id, () => runQuery(connections[connection], sql, parameters));
    },
    close() {
      for (const db of Object.values(connections)) db.close();
    },
  };
});
