import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { repeatedAfterConflict } from './transaction-conflict.ts';

/**
 * Leaves work for the time after the commit. A login or an answer to a client that another connection stores at the same time reads
 * whether it is still permitted after it is stored. If it has read that before the commit, it was stored before the commit, so
 * the work finds it. After a conflict the work runs again, and what its statements have changed is changed.
 */
export type AfterCommit = (work: (db: Kysely<Schema>) => Promise<unknown>) => void;

/** Runs a transaction, and then the work that it has left; each of them again after a conflict with another transaction. */
export async function withWorkAfterCommit<Value>(
  db: Kysely<Schema>,
  transaction: (afterCommit: AfterCommit) => Promise<Value>,
): Promise<Value> {
  let left: Parameters<AfterCommit>[0][] = [];
  const value = await repeatedAfterConflict(() => {
    left = [];
    return transaction((work) => left.push(work));
  });
  for (const work of left) await repeatedAfterConflict(() => work(db));
  return value;
}
