import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import type { ReapOptions } from './batches.ts';

export type UnderGrants = 'access_token' | 'refresh_token' | 'authorization_code';

export function deleteExpiredUnderGrants(
  db: Kysely<Schema>,
  table: UnderGrants,
  options: ReapOptions,
): Promise<number> {
  const { batchSize } = options;
  const expiredBefore = table === 'authorization_code' ? unanswerable(options) : options.expiredBefore;
  return db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom(table)
      .where('id', 'in', (select) =>
        select
          .selectFrom(table)
          .select('id')
          .where('expires', '>', 0)
          .where('expires', '<', expiredBefore)
          .orderBy('expires')
          .limit(batchSize),
      )
      .returning('grant_id')
      .execute();
    const grantIds = deleted.flatMap(({ grant_id }) => (grant_id === null ? [] : [grant_id]));
    if (grantIds.length > 0) await endEmptyGrants(transaction, grantIds);
    return deleted.length;
  });
}

/**
 * Revokes those without expiry under which nothing is left alive: their token without expiry was given back
 * before. All others expire by themselves.
 */
async function endEmptyGrants(db: Transaction<Schema>, grantIds: readonly Uint8Array[]): Promise<void> {
  await db
    .updateTable('grant')
    .set((update) => ({ revoked_at: update.ref('last_used') }))
    .where('id', 'in', grantIds)
    .where('expires', '=', 0)
    .where('revoked_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('access_token')
            .select('access_token.id')
            .whereRef('access_token.grant_id', '=', 'grant.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refresh_token')
            .select('refresh_token.id')
            .whereRef('refresh_token.grant_id', '=', 'grant.id')
            .where('refresh_token.rotated_at', 'is', null),
        ),
      ),
    )
    .execute();
}

export async function deleteExpiredSessions(
  db: Kysely<Schema>,
  { expiredBefore, batchSize }: ReapOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_session')
    .where('id', 'in', (select) =>
      select
        .selectFrom('login_session')
        .select('id')
        .where('expires', '<', expiredBefore)
        .orderBy('expires')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Grants under which nothing can be alive; to be called when what expired under them is gone. */
export async function deleteExpiredGrants(db: Kysely<Schema>, options: ReapOptions): Promise<number> {
  const { batchSize } = options;
  const expiredBefore = unanswerable(options);
  const { numDeletedRows } = await db
    .deleteFrom('grant')
    .where('id', 'in', (select) =>
      select
        .selectFrom('grant')
        .select('id')
        .where('expires', '>', 0)
        .where('expires', '<', expiredBefore)
        .orderBy('expires')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Nothing expires before it is issued, nor a grant before what is under it. */
function unanswerable({ expiredBefore, answeredBefore = expiredBefore }: ReapOptions): number {
  return Math.min(expiredBefore, answeredBefore);
}
