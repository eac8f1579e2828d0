import type { DigestKeyStore, KeyRenewalStore, SealingKeyStore, SubjectKeyStore } from '@watchword/protocol';
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

export function sqlDigestKey(db: Kysely<Schema>): DigestKeyStore {
  return {
    async read() {
      const { key_bytes } = await db.selectFrom('digest_key').select('key_bytes').executeTakeFirstOrThrow();
      return key_bytes;
    },
  };
}

/** @param transaction in which nodes learn of a change */
export function sqlKeyRenewal(transaction: Kysely<Schema>): KeyRenewalStore {
  return {
    async renew({ id, key, creationDate }, digestKey) {
      await transaction.deleteFrom('sealing_key').execute();
      const row = { id, key_bytes: key, creation_date: creationDate };
      await transaction.insertInto('sealing_key').values(row).execute();
      await transaction.updateTable('digest_key').set({ key_bytes: digestKey }).execute();
    },
  };
}

export function sqlSubjectKey(db: Kysely<Schema>): SubjectKeyStore {
  return {
    async read() {
      const { key_bytes } = await db.selectFrom('subject_key').select('key_bytes').executeTakeFirstOrThrow();
      return key_bytes;
    },
  };
}
