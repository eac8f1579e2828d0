import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { PurgeOptions } from './batches.ts';

/** Counts of changes that mean nothing any more. */
export async function deleteEndedOwnerChanges(
  db: Kysely<Schema>,
  { deletedBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const ended = await db
    .selectFrom('owner_change')
    .select(['authority', 'name', 'since'])
    .where('since', '<', deletedBefore)
    .orderBy('since')
    .limit(batchSize)
    .execute();
  for (const { authority, name, since } of ended) {
    // One that began anew meanwhile stays.
    await db
      .deleteFrom('owner_change')
      .where('authority', '=', authority)
      .where('name', '=', name)
      .where('since', '=', since)
      .execute();
  }
  return ended.length;
}
