import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { leastIdAt } from '../token-id.ts';
import type { ReapOptions } from './batches.ts';

const hourMs = 3_600_000;

/** The oldest part of the trail of changes. */
export async function deleteAuditEvents(
  db: Kysely<Schema>,
  { auditedBefore = 0, batchSize }: ReapOptions,
): Promise<number> {
  if (auditedBefore <= 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('audit_event')
    .where('id', 'in', (select) =>
      select
        .selectFrom('audit_event')
        .select('id')
        .where('id', '<', leastIdAt(auditedBefore))
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
