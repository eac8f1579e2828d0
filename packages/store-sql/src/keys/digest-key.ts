import type { DigestKeyStore, KeyRenewalStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

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
