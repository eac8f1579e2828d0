import { createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** A node of the release before keeps the columns as they are, and knows the two newest secrets of a client by the columns that it has. */
export const clientSecrets: Migration = {
  summary: 'adds further secrets of clients, and when they were last used',
  async up(db, types) {
    await db.schema.alterTable('client').addColumn('secret_created', types.integer).execute();
    await db.schema.alterTable('client').addColumn('secrets', types.text).execute();
    await createTable(
      db,
      types,
      'client_secret_use',
      { client_record_id: 'integer', secret_id: 'integer', last_used: 'integer' },
      { primaryKey: ['client_record_id', 'secret_id'] },
    );
  },
};
