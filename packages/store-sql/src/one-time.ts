import type { OneTimeStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export function sqlOneTime(db: Kysely<Schema>): OneTimeStore {
  return {
    async put(key, value, expires) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('one_time')
        .values({ key, value, expires })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },

    async take(key, now) {
      const row = await db
        .updateTable('one_time')
        .set({ taken_at: now })
        .where('key', '=', key)
        .where('taken_at', 'is', null)
        .where('expires', '>', now)
        .returning('value')
        .executeTakeFirst();
      return row?.value;
    },
  };
}
