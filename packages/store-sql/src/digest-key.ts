import type { DigestKeyStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export function sqlDigestKey(db: Kysely<Schema>): DigestKeyStore {
  return {
    async read() {
      const { key_bytes } = await db.selectFrom('digest_key').select('key_bytes').executeTakeFirstOrThrow();
      return key_bytes;
    },
  };
}
