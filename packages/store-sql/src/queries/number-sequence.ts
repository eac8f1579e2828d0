import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { NumberSequence } from '../schema/work-tables.ts';

/**
 * The next number of the sequence, in the transaction that uses it. The row is locked until that transaction ends, so
 * that numbers become visible in their order: a reader that has seen a number has seen all smaller ones.
 *
 * @param count takes several, of which it resolves with the first
 */
export async function nextNumber(db: Kysely<Schema>, sequence: NumberSequence, count = 1): Promise<number> {
  const { last_number } = await db
    .updateTable('number_sequence')
    .set((update) => ({ last_number: update('last_number', '+', count) }))
    .where('sequence_name', '=', sequence)
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number - count + 1;
}
