import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { inBatches, type ReapOptions } from './batches.ts';
import type { UnderGrants } from './expired.ts';

interface Deleted {
  readonly accessTokens: number;
  readonly refreshTokens: number;
  readonly authorizationCodes: number;
  readonly grants: number;
}

/**
 * Removes revoked grants with everything under them. The grant goes last, so that whatever is left when the
 * reaper is stopped is still seen to be dead; and nothing comes to a revoked grant any more.
 */
export async function deleteRevokedGrants(db: Kysely<Schema>, options: ReapOptions): Promise<Deleted> {
  const total = { accessTokens: 0, refreshTokens: 0, authorizationCodes: 0, grants: 0 };
  await inBatches(options, async () => {
    const ids = await revokedGrants(db, options);
    if (ids.length === 0) return 0;
    total.accessTokens += await deleteUnder(db, 'access_token', ids, options);
    total.refreshTokens += await deleteUnder(db, 'refresh_token', ids, options);
    total.authorizationCodes += await deleteUnder(db, 'authorization_code', ids, options);
    if (options.signal?.aborted) return 0;
    const { numDeletedRows } = await db.deleteFrom('grant').where('id', 'in', ids).executeTakeFirstOrThrow();
    total.grants += Number(numDeletedRows);
    return ids.length;
  });
  return total;
}

/** A grant is revoked after its code was issued, so that one whose code must stay is among the last. */
async function revokedGrants(
  db: Kysely<Schema>,
  { batchSize, answeredBefore = Number.MAX_SAFE_INTEGER }: ReapOptions,
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('grant')
    .select('id')
    .where('revoked_at', 'is not', null)
    .where('revoked_at', '<', answeredBefore)
    .orderBy('revoked_at')
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

function deleteUnder(
  db: Kysely<Schema>,
  table: UnderGrants,
  grantIds: readonly Uint8Array[],
  options: ReapOptions,
): Promise<number> {
  return inBatches(options, async () => {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('id', 'in', (select) =>
        select.selectFrom(table).select('id').where('grant_id', 'in', grantIds).limit(options.batchSize),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
