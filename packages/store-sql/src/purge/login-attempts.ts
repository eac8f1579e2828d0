import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';
import { deleteExpiredRows } from './expired-rows.ts';

/** Counts of failed logins that are no longer valid. */
export function deleteEndedLoginAttempts(
  db: Kysely<Schema>,
  { deletedBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'login_attempt', key: ['attempt_key'], before, limit });
}
