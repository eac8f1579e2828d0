import { expiryMargin } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
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

/** Links that were mailed to people, who have not used them. */
export function deleteExpiredPersonLinks(
  db: Kysely<Schema>,
  { expiredBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'person_link', key: ['link_id'], before, limit });
}

/** Mails that were not sent in time, where no server sends them. */
export function deleteExpiredMail(
  db: Kysely<Schema>,
  { expiredBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'outgoing_mail', key: ['mail_id'], before, limit });
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

/** Counts of failed logins that are no longer valid. */
export function deleteEndedLoginAttempts(
  db: Kysely<Schema>,
  { deletedBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'login_attempt', key: ['attempt_key'], before, limit });
}

/** Counts of changes whose time is over. */
export async function deleteEndedOwnerChanges(
  db: Kysely<Schema>,
  { deletedBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const ended = await db
    .selectFrom('owner_change')
    .select(['identity_provider', 'owner_name', 'window_start'])
    .where('window_start', '<', deletedBefore)
    .orderBy('window_start')
    .limit(batchSize)
    .execute();
  for (const { identity_provider, owner_name, window_start } of ended) {
    // A count that began again after it was read stays.
    await db
      .deleteFrom('owner_change')
      .where('identity_provider', '=', identity_provider)
      .where('owner_name', '=', owner_name)
      .where('window_start', '=', window_start)
      .execute();
  }
  return ended.length;
}

/** Revoked JWT access tokens that have expired so long ago that no resource server accepts them, also if its clock is wrong. */
export function deleteRevokedTokens(
  db: Kysely<Schema>,
  { expiredBefore, batchSize: limit }: PurgeOptions,
): Promise<number> {
  const before = expiredBefore - expiryMargin;
  return deleteExpiredRows(db, { table: 'revoked_token', key: ['id'], before, limit });
}

/** Clears answers that no client can get again. They are most of the bytes of a rotated token, which stays until it expires. */
export async function clearSealedAnswers(
  db: Kysely<Schema>,
  { unrepeatableBefore = 0, batchSize }: PurgeOptions,
): Promise<number> {
  const rows = await db
    .selectFrom('refresh_token')
    .select('id')
    .where('sealed_answer', '>', sql.lit(''))
    .where('rotated_at', '<', unrepeatableBefore)
    .orderBy('rotated_at')
    .limit(batchSize)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const cleared = await db
    .updateTable('refresh_token')
    .set({ sealed_answer: '' })
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return Number(cleared.numUpdatedRows);
}
