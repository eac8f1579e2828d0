import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Runs a change to records that nodes keep in memory. The change gets the next configuration revision,
 * which it writes into the rows it touches; polling nodes read just those.
 */
export function changeConfiguration<Value>(
  db: Kysely<Schema>,
  change: (transaction: Transaction<Schema>, revision: number) => Promise<Value>,
): Promise<Value> {
  return db.transaction().execute(async (transaction) => {
    const { revision } = await transaction
      .updateTable('configuration')
      .set((update) => ({ revision: update('revision', '+', 1) }))
      .returning('revision')
      .executeTakeFirstOrThrow();
    return change(transaction, revision);
  });
}
