import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { inBatches, type PacedOptions } from './batches.ts';
import type { UnderGrants } from './expired.ts';
import { removeGrants } from './removed-grants.ts';

interface Deleted {
  readonly accessTokens: number;
  readonly refreshTokens: number;
  readonly authorizationCodes: number;
  readonly grants: number;
}

/**
 * Removes revoked grants with their codes and tokens. The grant is removed last, so that rows that are left when the purge is
 * stopped still belong to a revoked grant. A revoked grant gets no new tokens.
 */
export async function deleteRevokedGrants(db: Kysely<Schema>, options: PacedOptions): Promise<Deleted> {
  const total = { accessTokens: 0, refreshTokens: 0, authorizationCodes: 0, grants: 0 };
  while (!options.signal?.aborted) {
    const ids = await revokedGrants(db, options);
    if (ids.length === 0) break;
    total.accessTokens += await deleteUnder(db, 'access_token', ids, options);
    total.refreshTokens += await deleteUnder(db, 'refresh_token', ids, options);
    total.authorizationCodes += await deleteUnder(db, 'authorization_code', ids, options);
    total.grants += await deleteGrants(db, ids, options);
    if (ids.length < options.batchSize) break;
  }
  return total;
}

/** A grant is revoked after its code was issued, so grants whose code must stay are among the last. */
async function revokedGrants(
  db: Kysely<Schema>,
  { batchSize, answeredBefore = Number.MAX_SAFE_INTEGER }: PacedOptions,
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('authorization_grant')
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
  options: PacedOptions,
): Promise<number> {
  return inBatches(options, async ({ batchSize }) => {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('id', 'in', (select) =>
        select.selectFrom(table).select('id').where('grant_id', 'in', grantIds).limit(batchSize),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

function deleteGrants(
  db: Kysely<Schema>,
  ids: readonly Uint8Array[],
  options: PacedOptions,
): Promise<number> {
  let left = ids;
  return inBatches(options, async ({ batchSize }) => {
    const next = left.slice(0, batchSize);
    left = left.slice(batchSize);
    await removeGrants(db, next);
    return next.length;
  });
}
