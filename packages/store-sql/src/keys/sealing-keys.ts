import type { SealingKeyStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

export function sqlSealingKeys(db: Kysely<Schema>): SealingKeyStore {
  return {
    async list() {
      const rows = await db
        .selectFrom('sealing_key')
        .selectAll()
        .orderBy('creation_date', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ id, key_bytes, creation_date }) => ({
        id,
        key: key_bytes,
        creationDate: creation_date,
      }));
    },

    rotate: ({ id, key, creationDate }, expired) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('sealing_key')
          .values({ id, key_bytes: key, creation_date: creationDate })
          .execute();
        await transaction.deleteFrom('sealing_key').where('creation_date', '<', expired).execute();
      }),
  };
}
