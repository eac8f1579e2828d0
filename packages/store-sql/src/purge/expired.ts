import { type Kysely, sql } from 'kysely';
import { revokeUnusedGrants } from '../hot/unused-grants.ts';
import { operationSql } from '../queries/placing.ts';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';
import { deleteExpiredRows } from './expired-rows.ts';
import { oldestExpiry, unanswerable, underGrants } from './lag.ts';
import { removeGrants } from './removed-grants.ts';

export type UnderGrants = (typeof underGrants)[number];

/**
 * Each statement is its own transaction, because a longer transaction would keep the connection that writes while this thread
 * does other work. The order of the statements makes this safe.
 */
export async function deleteExpiredUnderGrants(
  db: Kysely<Schema>,
  table: UnderGrants,
  options: PurgeOptions,
): Promise<number> {
  const { batchSize } = options;
  const expiredBefore = table === 'authorization_code' ? unanswerable(options) : options.expiredBefore;
  const expired = await db
    .selectFrom(table)
    .select(['id', 'grant_id'])
    .where('expires', '>', 0)
    .where('expires', '<', expiredBefore)
    .orderBy('expires')
    .limit(batchSize)
    .execute();
  if (expired.length === 0) return 0;
  const grantIds = expired.flatMap(({ grant_id }) => (grant_id === null ? [] : [grant_id]));
  if (grantIds.length > 0) await revokeUnusedWithoutExpiry(db, grantIds, options.expiredBefore);
  const ids = expired.map(({ id }) => id);
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('id', 'in', ids)
    // An administrator can have changed the expiry of a token after it was read.
    .where('expires', '>', 0)
    .where('expires', '<', expiredBefore)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Revokes unused grants without expiry, whose token without expiry was revoked. All other grants expire. The expired rows still
 * exist, so the next purge continues with them if this one ends here.
 */
async function revokeUnusedWithoutExpiry(
  db: Kysely<Schema>,
  grantIds: readonly Uint8Array[],
  expiredBefore: number,
): Promise<void> {
  const found = await db
    .selectFrom('authorization_grant')
    .select('id')
    .where('id', 'in', grantIds)
    .where('expires', '=', 0)
    .where('revoked_at', 'is', null)
    .execute();
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  const values = { ids, except_id: Buffer.alloc(0), valid_from: expiredBefore };
  await operationSql(
    revokeUnusedGrants(() => 'id in (:ids) and expires = 0'),
    values,
  ).execute(db);
}

export function deleteExpiredSessions(
  db: Kysely<Schema>,
  { expiredBefore: before, batchSize: limit }: PurgeOptions,
): Promise<number> {
  return deleteExpiredRows(db, { table: 'login_session', key: ['id'], before, limit });
}

/** Clients of sessions that have ended by their age, and logout deliveries that have failed. */
export async function deleteExpiredSessionClients(
  db: Kysely<Schema>,
  { expiredBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session_client')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('session_id', 'client_record_id', 'sid'),
        'in',
        selectFrom('session_client')
          .select(['session_id', 'client_record_id', 'sid'])
          .where('expires', '<', expiredBefore)
          .orderBy('expires')
          .limit(batchSize)
          .$asTuple('session_id', 'client_record_id', 'sid'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Grants without a code or token: none of them expires later than its grant. */
export async function deleteExpiredGrants(db: Kysely<Schema>, options: PurgeOptions): Promise<number> {
  const left = await Promise.all(underGrants.map((table) => oldestExpiry(db, table)));
  const before = Math.min(unanswerable(options), ...left);
  const expired = await db
    .selectFrom('authorization_grant')
    .select('id')
    .where('expires', '>', 0)
    .where('expires', '<', before)
    .orderBy('expires')
    .limit(options.batchSize)
    .execute();
  // An administrator can have changed the expiry of a token of the grant after it was read.
  const isExpired = sql<boolean>`expires > 0 and expires < ${before}`;
  return removeGrants(
    db,
    expired.map(({ id }) => id),
    isExpired,
  );
}
