import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';

/** Until when rows of a table are removed that expired. */
export type ExpiryBounds = Pick<PurgeOptions, 'expiredBefore' | 'answeredBefore'>;

export const underGrants = ['access_token', 'refresh_token', 'authorization_code'] as const;

/** Milliseconds since the oldest row should have been removed that has expired; 0 = no row should. */
export async function purgeLag(db: Kysely<Schema>, bounds: ExpiryBounds): Promise<number> {
  const lags = [0];
  for (const table of [...underGrants, 'authorization_grant', 'login_session'] as const) {
    const isAnswer = table === 'authorization_code' || table === 'authorization_grant';
    const before = isAnswer ? unanswerable(bounds) : bounds.expiredBefore;
    lags.push(before - (await oldestExpiry(db, table)));
  }
  return Math.max(...lags);
}

/** Epoch milliseconds; infinite if no row of the table expires. */
export async function oldestExpiry(
  db: Kysely<Schema>,
  table: (typeof underGrants)[number] | 'authorization_grant' | 'login_session',
): Promise<number> {
  const oldest = await db
    .selectFrom(table)
    .select('expires')
    .where('expires', '>', 0)
    .orderBy('expires')
    .limit(1)
    .executeTakeFirst();
  return oldest?.expires ?? Number.POSITIVE_INFINITY;
}

/** No row expires before it is issued, and no grant before its codes and tokens. */
export function unanswerable({ expiredBefore, answeredBefore = expiredBefore }: ExpiryBounds): number {
  return Math.min(expiredBefore, answeredBefore);
}
