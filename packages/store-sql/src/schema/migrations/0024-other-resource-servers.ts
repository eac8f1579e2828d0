import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

/** A node of the release before keeps the column as it is. */
export const otherResourceServers: Migration = {
  summary: 'adds the other resource servers that a client can use',
  async up(db, types) {
    await db.schema.alterTable('client').addColumn('other_servers', types.text).execute();
    await createIndex(db, 'client', 'other_servers', ['id'], { where: ['other_servers', 'is not null'] });
  },
};
