import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { leastIdAt } from '../token-id.ts';
import type { ReapOptions } from './batches.ts';

const hourMs = 3_600_000;

/** The oldest part of the trail of changes. */
export function deleteAuditEvents(
  db: Kysely<Schema>,
  { auditedBefore = 0, batchSize }: ReapOptions,
): Promise<number> {
  return deleteOldest(db, 'audit_event', auditedBefore, batchSize);
}

/** The oldest logins, logouts, withdrawals and grants. */
export function deleteLoginEvents(
  db: Kysely<Schema>,
  { loggedInBefore = 0, batchSize }: ReapOptions,
): Promise<number> {
  return deleteOldest(db, 'login_event', loggedInBefore, batchSize);
}

async function deleteOldest(
  db: Kysely<Schema>,
  table: 'audit_event' | 'login_event',
  before: number,
  batchSize: number,
): Promise<number> {
  if (before <= 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('id', 'in', (select) =>
      select
        .selectFrom(table)
        .select('id')
        .where('id', '<', leastIdAt(before))
        .orderBy('id')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Counts of tokens, one hour at a time: of each there is one row a resource server and grant type. */
export async function deleteIssuedCounts(
  db: Kysely<Schema>,
  { countedBefore = 0, signal }: ReapOptions,
): Promise<number> {
  const end = Math.floor(countedBefore / hourMs);
  let total = 0;
  while (!signal?.aborted) {
    const oldest = await db
      .selectFrom('issued_by_hour')
      .select('hour')
      .where('hour', '<', end)
      .orderBy('hour')
      .limit(1)
      .executeTakeFirst();
    if (oldest === undefined) return total;
    const { numDeletedRows } = await db
      .deleteFrom('issued_by_hour')
      .where('hour', '=', oldest.hour)
      .executeTakeFirstOrThrow();
    total += Number(numDeletedRows);
  }
  return total;
}
