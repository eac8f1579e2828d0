import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { withWorkAfterCommit } from '../../src/queries/after-commit.ts';
import { TransactionConflictError } from '../../src/queries/transaction-conflict.ts';
import type { Schema } from '../../src/schema/schema.ts';

const db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (introspected) => new SqliteIntrospector(introspected),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Runs a transaction that leaves work. Lists what has run. */
async function ran(failuresOf: { readonly transaction: number; readonly work: number }, error: Error) {
  const runs: string[] = [];
  const run = (part: keyof typeof failuresOf) => {
    runs.push(part);
    if (runs.filter((each) => each === part).length <= failuresOf[part]) throw error;
  };
  const outcome = await withWorkAfterCommit(db, async (afterCommit) => {
    afterCommit(async () => run('work'));
    run('transaction');
    return 'committed';
  }).catch((thrown: unknown) => thrown);
  return { runs, outcome };
}

describe('work that a transaction leaves for the time after its commit', () => {
  const conflict = new TransactionConflictError('deadlock detected');

  it('runs again after a conflict with another transaction, without the transaction', async () => {
    assert.deepEqual(await ran({ transaction: 0, work: 2 }, conflict), {
      runs: ['transaction', 'work', 'work', 'work'],
      outcome: 'committed',
    });
  });

  it('runs once if the transaction was committed at its second attempt', async () => {
    assert.deepEqual(await ran({ transaction: 1, work: 0 }, conflict), {
      runs: ['transaction', 'transaction', 'work'],
      outcome: 'committed',
    });
  });

  it('fails its caller at the third conflict, and at once after any other error', async () => {
    const { runs, outcome } = await ran({ transaction: 0, work: 3 }, conflict);
    assert.deepEqual([runs.length, outcome], [4, conflict]);
    const error = new Error('no');
    assert.deepEqual(await ran({ transaction: 0, work: 1 }, error), {
      runs: ['transaction', 'work'],
      outcome: error,
    });
  });
});
