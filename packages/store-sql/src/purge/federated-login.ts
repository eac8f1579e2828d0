import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { PurgeOptions } from './batches.ts';

/** One-time keys that have expired: their values are no longer valid. */
export async function deleteExpiredOneTime(
  db: Kysely<Schema>,
  { expiredBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time')
    .where('one_time_key', 'in', (select) =>
      select
        .selectFrom('one_time')
        .select('one_time_key')
        .where('expires', '<', expiredBefore)
        .orderBy('expires')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Links of login sessions that have ended. */
export async function deleteExpiredSessionLinks(
  db: Kysely<Schema>,
  { expiredBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_session_link')
    .where('session_id', 'in', (select) =>
      select
        .selectFrom('login_session_link')
        .select('session_id')
        .where('expires', '<', expiredBefore)
        .orderBy('expires')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
