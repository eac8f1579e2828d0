import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { PurgeOptions } from './batches.ts';

/** Counts of failed logins that are no longer valid. */
export async function deleteEndedLoginAttempts(
  db: Kysely<Schema>,
  { deletedBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_attempt')
    .where('attempt_key', 'in', (select) =>
      select
        .selectFrom('login_attempt')
        .select('attempt_key')
        .where('expires', '<', deletedBefore)
        .orderBy('expires')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
