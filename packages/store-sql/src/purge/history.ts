import type { Kysely } from 'kysely';
import { leastIdAt } from '../hot/token-id.ts';
import type { Schema } from '../schema/schema.ts';
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

/** The oldest errors of requests. */
export function deleteRequestErrors(
  db: Kysely<Schema>,
  { failedBefore = 0, batchSize }: PurgeOptions,
): Promise<number> {
  return deleteOldest(db, 'request_error', failedBefore, batchSize);
}

async function deleteOldest(
  db: Kysely<Schema>,
  table: 'audit_event' | 'login_event' | 'request_error',
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

/** Counts of tokens issued to single clients, the oldest hours first. */
export async function deleteCountsOfClients(
  db: Kysely<Schema>,
  { countedByClientBefore = 0, batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('issued_to_client')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('client_record_id', 'epoch_hour'),
        'in',
        selectFrom('issued_to_client')
          .select(['client_record_id', 'epoch_hour'])
          .where('epoch_hour', '<', Math.floor(countedByClientBefore / hourMs))
          .orderBy('epoch_hour')
          .limit(batchSize)
          .$asTuple('client_record_id', 'epoch_hour'),
      ),
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
