import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { toSqliteError } from './sqlite-errors.ts';
import type { ThreadMessage, ThreadReply } from './thread-messages.ts';

/** A database that this thread has open. */
export interface ServedDatabase<Request extends object> {
  /** Takes a request, and answers it now or in {@link settle}. */
  receive(id: number, request: Request): void;
  /** Called after all requests that have arrived together. */
  settle?(): void;
  close(): void;
}

export type Reply = (reply: ThreadReply) => void;

/**
 * Serves one database after another in this thread. The first message of each has its settings, and the first reply reports
 * whether it could be opened.
 */
export function serveDatabases<Settings, Request extends object>(
  open: (settings: Settings, reply: Reply) => ServedDatabase<Request>,
): void {
  if (parentPort === null) throw new Error('databases are served in a worker thread only');
  const port = parentPort;
  const reply: Reply = (message) => port.postMessage(message);
  let database: ServedDatabase<Request> | undefined;

  const begin = (settings: Settings) => {
    database = open(settings, reply);
  };

  const take = (served: ServedDatabase<Request>, { id, request }: ThreadMessage<Request>) => {
    if (request !== 'close') return served.receive(id, request);
    database = undefined;
    answer(reply, id, () => served.close());
  };

  port.on('message', (message) => {
    if (database === undefined) return answer(reply, 0, () => begin(message));
    take(database, message);
    // Requests that arrived during the last one are taken together.
    while (database !== undefined) {
      const next = receiveMessageOnPort(port) as { message: ThreadMessage<Request> } | undefined;
      if (next === undefined) break;
      take(database, next.message);
    }
    database?.settle?.();
  });
}

/** Replies with what `work` returns or throws. */
export function answer(reply: Reply, id: number, work: () => unknown): void {
  try {
    reply({ id, value: work() });
  } catch (error) {
    reply({ id, sqliteError: toSqliteError(error) });
  }
}
