import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';
import { deleteExpiredRows } from './expired-rows.ts';

/** One-time keys that have expired: their values are no longer valid. */
export function deleteExpiredOneTime(
  db: Kysely<Schema>,
  { expiredBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'one_time', key: ['one_time_key'], before, limit });
}

/** What people did in steps of their logins, and what is not enough any more. */
export function deleteExpiredStepRecords(
  db: Kysely<Schema>,
  { expiredBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'step_record', key: ['subject', 'step_name'], before, limit });
}

/** Links of login sessions that have ended. */
export function deleteExpiredSessionLinks(
  db: Kysely<Schema>,
  { expiredBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'login_session_link', key: ['session_id'], before, limit });
}
