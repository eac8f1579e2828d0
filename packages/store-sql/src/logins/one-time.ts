import type { OneTimeStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { statements } from '../hot/statements.ts';
import type { Schema } from '../schema/schema.ts';

/** Proofs of possession are stored as often as tokens are issued: the keys share commits with them. */
export function hotOneTime(hot: HotAccess, others: OneTimeStore): OneTimeStore {
  return {
    ...others,
    put: async (one_time_key, stored_value, expires) =>
      (await hot.write(commandOf(statements.insertOneTime, { one_time_key, stored_value, expires }))) > 0,
  };
}

export function sqlOneTime(db: Kysely<Schema>): OneTimeStore {
  return {
    async put(key, value, expires) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('one_time')
        .values({ one_time_key: key, stored_value: value, expires, redeemed_at: null })
        .onConflict((conflict) => conflict.column('one_time_key').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },

    async take(key, now) {
      const row = await db
        .updateTable('one_time')
        .set({ redeemed_at: now })
        .where('one_time_key', '=', key)
        .where('redeemed_at', 'is', null)
        .where('expires', '>', now)
        .returning('stored_value')
        .executeTakeFirst();
      return row?.stored_value;
    },

    async find(key, now) {
      const row = await db
        .selectFrom('one_time')
        .select('stored_value')
        .where('one_time_key', '=', key)
        .where('redeemed_at', 'is', null)
        .where('expires', '>', now)
        .executeTakeFirst();
      return row?.stored_value;
    },
  };
}
