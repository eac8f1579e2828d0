import { createIndex, createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** A node of the release before keeps the columns as they are. */
export const configurations: Migration = {
  summary: 'adds the configurations that manage resource servers and clients',
  async up(db, types) {
    await createTable(db, types, 'applied_configuration', {
      configuration_name: 'text',
      record_count: 'integer',
      applied_at: 'integer',
      applied_by: 'text',
      is_restored: 'integer',
    });
    for (const table of ['resource_server', 'client']) {
      await db.schema.alterTable(table).addColumn('managed_by', types.text).execute();
      await db.schema.alterTable(table).addColumn('applied_digest', types.text).execute();
      await createIndex(db, table, 'managed', ['managed_by', 'revision'], {
        where: ['managed_by', 'is not null'],
      });
    }
  },
};
