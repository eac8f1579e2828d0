import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What may happen once, and what ties a login session to one elsewhere. */
export const federatedLogin: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('one_time')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .addColumn('taken_at', 'integer')
      .modifyEnd(sql`without rowid`)
      .execute();
    await db.schema.createIndex('one_time_expires').on('one_time').columns(['expires', 'key']).execute();

    await db.schema
      .createTable('login_session_link')
      .addColumn('session_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .modifyEnd(sql`without rowid`)
      .execute();
    for (const column of ['key', 'expires']) {
      await db.schema
        .createIndex(`login_session_link_${column}`)
        .on('login_session_link')
        .columns([column, 'session_id'])
        .execute();
    }
  },
};
