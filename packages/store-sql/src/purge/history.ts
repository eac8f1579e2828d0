import type { Kysely } from 'kysely';
import { leastIdAt } from '../hot/token-id.ts';
import type { Schema } from '../schema.ts';
import type { PurgeOptions } from './batches.ts';

const hourMs = 3_600_000;

/** The oldest changes in the audit log. */
export function deleteAuditEvents(
  db: Kysely<Schema>,
  { auditedBefore = 0, batchSize }: PurgeOptions,
): Promise<number> {
  return deleteOldest(db, 'audit_event', auditedBefore, batchSize);
}

/** The oldest logins, logouts, withdrawals and grants in the audit log. */
export function deleteLoginEvents(
  db: Kysely<Schema>,
  { loggedInBefore = 0, batchSize }: PurgeOptions,
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

/** Counts of tokens, the oldest hours first. */
export async function deleteIssuedCounts(
  db: Kysely<Schema>,
  { countedBefore = 0, batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('issued_by_hour')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('resource_server_id', 'epoch_hour', 'grant_type'),
        'in',
        selectFrom('issued_by_hour')
          .select(['resource_server_id', 'epoch_hour', 'grant_type'])
          .where('epoch_hour', '<', Math.floor(countedBefore / hourMs))
          .orderBy('epoch_hour')
          .limit(batchSize)
          .$asTuple('resource_server_id', 'epoch_hour', 'grant_type'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
