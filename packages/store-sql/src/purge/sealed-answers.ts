import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';

/** Clears answers that no client can get again. They are most of the bytes of a rotated token, which stays until it expires. */
export async function clearSealedAnswers(
  db: Kysely<Schema>,
  { unrepeatableBefore = 0, batchSize }: PurgeOptions,
): Promise<number> {
  const rows = await db
    .selectFrom('refresh_token')
    .select('id')
    .where('sealed_answer', '>', sql.lit(''))
    .where('rotated_at', '<', unrepeatableBefore)
    .orderBy('rotated_at')
    .limit(batchSize)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const cleared = await db
    .updateTable('refresh_token')
    .set({ sealed_answer: '' })
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return Number(cleared.numUpdatedRows);
}
