import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';

/** Counts of changes whose time is over. */
export async function deleteEndedOwnerChanges(
  db: Kysely<Schema>,
  { deletedBefore, batchSize }: PurgeOptions,
): Promise<number> {
  const ended = await db
    .selectFrom('owner_change')
    .select(['identity_provider', 'owner_name', 'window_start'])
    .where('window_start', '<', deletedBefore)
    .orderBy('window_start')
    .limit(batchSize)
    .execute();
  for (const { identity_provider, owner_name, window_start } of ended) {
    // A count that began again after it was read stays.
    await db
      .deleteFrom('owner_change')
      .where('identity_provider', '=', identity_provider)
      .where('owner_name', '=', owner_name)
      .where('window_start', '=', window_start)
      .execute();
  }
  return ended.length;
}
