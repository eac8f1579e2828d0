import { UnstorableTextError } from '@watchword/protocol';
import { PostgresqlError } from '../connection/postgresql-error.ts';
import {
  commit,
  rollback,
  type Session,
  type SessionQuery,
  type SessionResult,
} from '../connection/session.ts';
import { isConflict as isConflictCode, sqlState } from '../connection/sql-state.ts';

/** Runs the statements as one transaction, in one round trip. */
export async function inTransaction(
  session: Session,
  queries: readonly SessionQuery[],
): Promise<readonly SessionResult[]> {
  // What is sent together is a transaction by itself, unless the time limits of each transaction must be set.
  if (session.begin().length === 1) return session.pipeline(queries);
  const results = await openTransaction(session, [...queries, commit]);
  return results.slice(0, -1);
}

/** Begins a transaction and runs the statements. After an error it is rolled back. */
export async function openTransaction(
  session: Session,
  queries: readonly SessionQuery[],
): Promise<readonly SessionResult[]> {
  const begin = session.begin();
  try {
    return (await session.pipeline([...begin, ...queries])).slice(begin.length);
  } catch (error) {
    // A lost connection has no transaction to roll back; the caller gets the error that led here.
    await session.pipeline([rollback]).catch(() => {});
    throw error;
  }
}

/**
 * Whether the error is proof that the transaction was not committed, and another transaction is possible. After a loss of the connection
 * it can have been committed. A server that shuts down, has no space, or cannot write answers no other transaction either.
 */
export function isRefused(error: unknown): boolean {
  // A value that cannot be sent. One that cannot be read comes from a transaction that is committed.
  if (!(error instanceof PostgresqlError)) return error instanceof UnstorableTextError;
  return error.code !== undefined && !/^(?:08|25006|40003|53|57|58|F0|XX)/.test(error.code);
}

/** Another transaction was in the way: the same commands can succeed now. */
export function isConflict(error: unknown): boolean {
  return error instanceof PostgresqlError && isConflictCode(error.code);
}

/** Another transaction has kept a row locked for the whole time for which this one waits. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof PostgresqlError && error.code === sqlState.lockNotAvailable;
}

const shortWait: SessionQuery = {
  name: 'short_wait',
  // Milliseconds. A write of another node keeps its locks for as long as a disk needs.
  text: `select set_config('lock_timeout', '50', true)`,
  values: [],
};

/** The session, whose transactions do not wait long for a lock. */
export function impatient(session: Session): Session {
  return {
    begin: (access) => [...session.begin(access), shortWait],
    pipeline: (queries) => session.pipeline(queries),
  };
}

const maxAttempts = 3;

/** Repeats the transaction after a conflict with another one. */
export async function repeated<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) throw error;
    }
  }
}
