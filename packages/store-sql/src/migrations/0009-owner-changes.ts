import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How many changes owners have made of late. */
export const ownerChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('owner_change')
      .addColumn('authority', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('since', 'integer', (column) => column.notNull())
      .addColumn('changes', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('owner_change_owner', ['authority', 'name'])
      .modifyEnd(sql`without rowid`)
      .execute();
    await db.schema.createIndex('owner_change_since').on('owner_change').columns(['since']).execute();
  },
};
