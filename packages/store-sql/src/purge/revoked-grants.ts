import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { inBatches, type PacedOptions } from './batches.ts';
import type { UnderGrants } from './expired.ts';
import { jwtClients, listedFrom } from './jwt-clients.ts';
import { removeGrants } from './removed-grants.ts';

interface RevokedRow {
  readonly id: Uint8Array;
  readonly client_record_id: number;
  readonly revoked_at: number | null;
}

interface Deleted {
  accessTokens: number;
  refreshTokens: number;
  authorizationCodes: number;
  grants: number;
}

/**
 * Removes revoked grants with their codes and tokens. The grant is removed last, so that rows that are left when the purge is
 * stopped still belong to a revoked grant. A revoked grant gets no new tokens. While JWTs of a grant can be valid, resource servers must
 * learn that it is revoked, so it stays.
 */
export async function deleteRevokedGrants(
  db: Kysely<Schema>,
  options: PacedOptions,
): Promise<Readonly<Deleted>> {
  const total = { accessTokens: 0, refreshTokens: 0, authorizationCodes: 0, grants: 0 };
  const clients = await jwtClients(db);
  const keptFrom = listedFrom(options);
  const isListed = ({ client_record_id, revoked_at }: RevokedRow) =>
    clients.has(client_record_id) && (revoked_at ?? 0) >= keptFrom;
  for (let after: RevokedRow | undefined; !options.signal?.aborted; ) {
    const rows = await revokedGrants(db, options, after);
    after = rows.at(-1);
    const ids = rows.filter((row) => !isListed(row)).map(({ id }) => id);
    if (ids.length > 0) await deleteWithTokens(db, ids, options, total);
    if (rows.length < options.batchSize) break;
  }
  return total;
}

/** A grant is revoked after its code was issued, so grants whose code must stay are among the last. */
async function revokedGrants(
  db: Kysely<Schema>,
  { batchSize, answeredBefore = Number.MAX_SAFE_INTEGER }: PacedOptions,
  after: RevokedRow | undefined,
): Promise<RevokedRow[]> {
  let query = db
    .selectFrom('authorization_grant')
    .select(['id', 'client_record_id', 'revoked_at'])
    .where('revoked_at', 'is not', null)
    .where('revoked_at', '<', answeredBefore)
    .orderBy('revoked_at')
    .orderBy('id')
    .limit(batchSize);
  if (after !== undefined)
    query = query.where(sql<boolean>`(revoked_at, id) > (${after.revoked_at}, ${after.id})`);
  return query.execute();
}

/** @param ids at least one */
async function deleteWithTokens(
  db: Kysely<Schema>,
  ids: readonly Uint8Array[],
  options: PacedOptions,
  total: Deleted,
): Promise<void> {
  total.accessTokens += await deleteUnder(db, 'access_token', ids, options);
  total.refreshTokens += await deleteUnder(db, 'refresh_token', ids, options);
  total.authorizationCodes += await deleteUnder(db, 'authorization_code', ids, options);
  total.grants += await deleteGrants(db, ids, options);
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
