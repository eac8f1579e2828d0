import type { HostRuleStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

export function sqlHostRules(db: Kysely<Schema>): HostRuleStore {
  return {
    async list() {
      const rows = await db.selectFrom('client_host').selectAll().orderBy('host_pattern').execute();
      return rows.map(({ host_pattern: pattern, effect, note, modification_date: modificationDate }) => ({
        pattern,
        effect,
        note,
        modificationDate,
      }));
    },

    async put({ pattern, effect, note, modificationDate }) {
      const values = { effect, note, modification_date: modificationDate };
      await db
        .insertInto('client_host')
        .values({ host_pattern: pattern, ...values })
        .onConflict((conflict) => conflict.column('host_pattern').doUpdateSet(values))
        .execute();
    },

    async remove(pattern) {
      const { numDeletedRows } = await db
        .deleteFrom('client_host')
        .where('host_pattern', '=', pattern)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
