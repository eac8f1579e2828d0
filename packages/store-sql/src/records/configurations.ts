import type { ConfigurationStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

export function sqlConfigurations(db: Kysely<Schema>): ConfigurationStore {
  return {
    async list() {
      const rows = await db
        .selectFrom('applied_configuration')
        .selectAll()
        .orderBy('configuration_name')
        .execute();
      return rows.map((row) => ({
        name: row.configuration_name,
        records: row.record_count,
        appliedAt: row.applied_at,
        appliedBy: row.applied_by,
        isRestored: row.is_restored === 1,
      }));
    },

    async put({ name, records, appliedAt, appliedBy }) {
      const values = {
        record_count: records,
        applied_at: appliedAt,
        applied_by: appliedBy,
        is_restored: 0,
      };
      await db
        .insertInto('applied_configuration')
        .values({ configuration_name: name, ...values })
        .onConflict((conflict) => conflict.column('configuration_name').doUpdateSet(values))
        .execute();
    },

    async remove(name) {
      await db.deleteFrom('applied_configuration').where('configuration_name', '=', name).execute();
    },
  };
}
