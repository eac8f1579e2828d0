import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/**
 * Runs a change to records that nodes keep in memory, in a transaction. The change gets the next configuration
 * revision, and writes it into the rows that it changes. Polling nodes read only these rows.
 */
export type ChangeConfiguration = <Value>(
  change: (transaction: Transaction<Schema>, revision: number) => Promise<Value>,
) => Promise<Value>;

/** Tells other nodes of a change when its transaction commits. */
export type Announce = (transaction: Transaction<Schema>) => Promise<unknown>;

/** Runs each change in its own transaction. The revision is increased first, so that changes run one after the other. */
export function configurationChanges(db: Kysely<Schema>, announce?: Announce): ChangeConfiguration {
  return (change) =>
    db.transaction().execute(async (transaction) => {
      const { revision } = await transaction
        .updateTable('registry_revision')
        .set((update) => ({ revision: update('revision', '+', 1) }))
        .returning('revision')
        .executeTakeFirstOrThrow();
      await announce?.(transaction);
      return change(transaction, revision);
    });
}
