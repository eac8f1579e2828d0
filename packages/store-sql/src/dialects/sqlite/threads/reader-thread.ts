import { type MessagePort, parentPort } from 'node:worker_threads';
import { toSqliteError } from '../files/sqlite-errors.ts';
import { openReader, type ReaderSettings } from './open-reader.ts';
import { runQuery } from './run-query.ts';
import type { QueryRequest, ThreadMessage, ThreadReply } from './thread-messages.ts';
import { whenSettingsCome } from './thread-settings.ts';

/**
 * The thread that reads lists and statistics. A read of many rows must not delay the thread that answers requests, nor the
 * thread that writes. It imports nothing outside this package and Node.js.
 */

export type ReaderRequest =
  | (QueryRequest & { readonly connection: ReaderConnection })
  | { readonly type: 'close' };

/** One connection for single statements and one for snapshots, because a single statement must not become part of one. */
export type ReaderConnection = 'statements' | 'snapshots';

/** Serves the file whose settings come first. */
export function servePort(port: MessagePort): void {
  whenSettingsCome(port, (settings: ReaderSettings) => serve(settings, port));
}

function serve(settings: ReaderSettings, port: MessagePort): void {
  const open = () => openReader(settings);
  const connections = { statements: open(), snapshots: open() };
  const answer = (request: ReaderRequest) => {
    if (request.type === 'query') {
      return runQuery(connections[request.connection], request.sql, request.parameters);
    }
    for (const db of Object.values(connections)) db.close();
    return undefined;
  };
  port.on('message', ({ id, request }: ThreadMessage<ReaderRequest>) => {
    try {
      port.postMessage({ id, value: answer(request) } satisfies ThreadReply);
    } catch (error) {
      port.postMessage({ id, sqliteError: toSqliteError(error) } satisfies ThreadReply);
    }
    if (request.type === 'close') port.close();
  });
}

if (parentPort !== null) servePort(parentPort);
