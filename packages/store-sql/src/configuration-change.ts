import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Runs a change to records that nodes keep in memory, in a transaction. The change gets the next configuration
 * revision, which it writes into the rows it touches; polling nodes read just those.
 */
export type ChangeConfiguration = <Value>(
  change: (transaction: Transaction<Schema>, revision: number) => Promise<Value>,
) => Promise<Value>;

/** Each change in a transaction of its own. The number is raised first, so that changes run one after another. */
export function configurationChanges(db: Kysely<Schema>): ChangeConfiguration {
  return (change) =>
    db.transaction().execute(async (transaction) => {
      const { revision } = await transaction
        .updateTable('registry_revision')
        .set((update) => ({ revision: update('revision', '+', 1) }))
        .returning('revision')
        .executeTakeFirstOrThrow();
      return change(transaction, revision);
    });
}
