import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { PurgeOptions } from './batches.ts';
import { deleteExpiredRows } from './expired-rows.ts';

/** Revoked JWT access tokens that have expired: they are not valid in any case. */
export function deleteRevokedTokens(
  db: Kysely<Schema>,
  { expiredBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'revoked_token', key: 'id', before, limit });
}
