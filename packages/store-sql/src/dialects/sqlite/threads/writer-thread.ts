import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { Command } from '../../../hot/command.ts';
import { openOwn } from '../files/open-own.ts';
import { OpenedFiles } from '../files/opened-files.ts';
import { damagedError, toSqliteError } from '../files/sqlite-errors.ts';
import { type CommandResults, commandCommitter } from './commit-commands.ts';
import { runQuery } from './run-query.ts';
import type { QueryAnswer, QueryRequest, ThreadMessage, ThreadReply } from './thread-messages.ts';
import { whenSettingsCome } from './thread-settings.ts';

/**
 * The thread with the connection that writes. It waits for the disk, so that the thread that answers requests never
 * waits. It imports nothing outside this package and Node.js, so that it starts quickly and needs no import condition.
 */

export interface WriterSettings {
  readonly file: string;
  /** Milliseconds to wait for another process's write lock. */
  readonly busyTimeout: number;
}

export type WriterRequest =
  | QueryRequest
  | { readonly type: 'commit'; readonly commands: readonly Command[] }
  | { readonly type: 'close' };

export interface CommitAnswer {
  readonly results: CommandResults;
  /** Number of commands of the whole transaction, in the answer to its first request. */
  readonly batchSize: number | undefined;
}

export interface TimedAnswer extends QueryAnswer {
  /** Milliseconds for which it kept the connection. */
  readonly milliseconds: number;
}

interface Opened {
  readonly db: DatabaseSync;
  readonly files: OpenedFiles;
}

function open({ file, busyTimeout }: WriterSettings): Opened {
  const db = openOwn(file, { timeout: busyTimeout });
  requireSoundSchema(db);
  // FULL: a commit returns only after the log is on the disk; on macOS only fullfsync makes that true.
  db.exec('pragma synchronous = full; pragma fullfsync = on');
  // Both by measurement. A page that changes often is copied to the database once for each checkpoint. The index of
  // a log of 4,062 pages is one block, so that readers find a page as quickly as in a shorter log. No other connection writes, so
  // this page cache (kB) stays valid, and inserts into an index in random order find their pages in it.
  db.exec('pragma wal_autocheckpoint = 4000; pragma cache_size = -8000');
  return { db, files: new OpenedFiles(file) };
}

/** Reads the header and all pages of the schema; the other pages can be many. */
function requireSoundSchema(db: DatabaseSync): void {
  const finding = db.prepare('pragma quick_check(sqlite_schema)').get()?.quick_check;
  if (finding !== 'ok') throw damagedError(finding);
}

function query({ db, files }: Opened, { sql, parameters, mayBeLost = false }: QueryRequest): TimedAnswer {
  const started = performance.now();
  const run = () => runQuery(db, sql, parameters);
  const answer = mayBeLost && !db.isTransaction ? withoutSync(db, run) : run();
  // A statement without a transaction has been committed by now.
  if (!db.isTransaction) files.verify();
  return { ...answer, milliseconds: performance.now() - started };
}

/** The commit is in the log, which has the order of all commits, and reaches the disk with the next one that waits for it. */
function withoutSync<Value>(db: DatabaseSync, work: () => Value): Value {
  db.exec('pragma synchronous = normal');
  try {
    return work();
  } finally {
    db.exec('pragma synchronous = full');
  }
}

interface CommitRequest {
  readonly id: number;
  readonly commands: readonly Command[];
}

function serve(opened: Opened, port: MessagePort): void {
  const { db, files } = opened;
  const commitCommands = commandCommitter(db, () => files.verify());
  let commits: CommitRequest[] = [];
  const reply = (message: ThreadReply) => port.postMessage(message);

  const answer = (id: number, work: () => unknown) => {
    try {
      reply({ id, value: work() });
    } catch (error) {
      reply({ id, sqliteError: toSqliteError(error) });
    }
  };

  const commitAll = () => {
    // While a transaction of Kysely is open, commands wait for its end, because they must not become a part of it.
    if (commits.length === 0 || db.isTransaction) return;
    const batch = commits;
    commits = [];
    try {
      const all = batch.flatMap(({ commands }) => commands);
      const { results, isTogether } = commitCommands(all);
      let first = 0;
      for (const { id, commands } of batch) {
        const value: CommitAnswer = {
          results: results.slice(first, first + commands.length),
          batchSize: isTogether && first === 0 ? all.length : undefined,
        };
        reply({ id, value });
        first += commands.length;
      }
    } catch (error) {
      const sqliteError = toSqliteError(error);
      for (const { id } of batch) reply({ id, sqliteError });
    }
  };

  const receive = ({ id, request }: ThreadMessage<WriterRequest>) => {
    switch (request.type) {
      case 'commit':
        commits.push({ id, commands: request.commands });
        break;
      case 'query':
        answer(id, () => query(opened, request));
        break;
      case 'close':
        answer(id, () => db.close());
        port.close();
    }
  };

  port.on('message', (message: ThreadMessage<WriterRequest>) => {
    receive(message);
    // Commands that arrived during the last commit go into the next one together.
    for (;;) {
      const next = receiveMessageOnPort(port) as { message: ThreadMessage<WriterRequest> } | undefined;
      if (next === undefined) break;
      receive(next.message);
    }
    if (db.isOpen) commitAll();
  });
}

/** Serves the file whose settings come first. */
export function servePort(port: MessagePort): void {
  whenSettingsCome(port, (settings: WriterSettings) => serve(open(settings), port));
}

if (parentPort !== null) servePort(parentPort);
