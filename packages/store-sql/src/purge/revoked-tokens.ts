import { expiryMargin } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';
import { deleteExpiredRows } from './expired-rows.ts';

/** Revoked JWT access tokens that have expired so long ago that no resource server accepts them, also if its clock is wrong. */
export function deleteRevokedTokens(
  db: Kysely<Schema>,
  { expiredBefore, batchSize: limit }: PurgeOptions,
): Promise<number> {
  const before = expiredBefore - expiryMargin;
  return deleteExpiredRows(db, { table: 'revoked_token', key: ['id'], before, limit });
}
