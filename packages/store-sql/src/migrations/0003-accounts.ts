import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Local accounts, and counts of failed logins. */
export const accounts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('account')
      .addColumn('username', 'text', (column) => column.primaryKey().notNull())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('roles', 'text', (column) => column.notNull())
      .addColumn('groups', 'text', (column) => column.notNull())
      .addColumn('admin_principal', 'integer', (column) => column.notNull())
      .addColumn('disabled', 'integer', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      .modifyEnd(sql`without rowid`)
      .execute();

    await db.schema
      .createTable('login_attempt')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('failures', 'real', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .modifyEnd(sql`without rowid`)
      .execute();
    await db.schema.createIndex('login_attempt_expires').on('login_attempt').columns(['expires']).execute();
  },
};
