import type { SubjectKeyStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

export function sqlSubjectKey(db: Kysely<Schema>): SubjectKeyStore {
  return {
    async read() {
      const { key_bytes } = await db.selectFrom('subject_key').select('key_bytes').executeTakeFirstOrThrow();
      return key_bytes;
    },
  };
}
