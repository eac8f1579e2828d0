import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who logged in and granted access, and the key under which the log names accounts. */
export const loginEvents: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('login_event')
      .addColumn('id', 'blob', (column) => column.primaryKey().notNull())
      .addColumn('time', 'integer', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('authority', 'text', (column) => column.notNull())
      .addColumn('principal_name', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('record_type', 'text', (column) => column.notNull())
      .addColumn('record_id', 'text', (column) => column.notNull())
      .addColumn('record_name', 'text', (column) => column.notNull())
      .addColumn('after', 'text')
      // Written with every login: the row goes to the end of the tree of its key.
      .modifyEnd(sql`without rowid`)
      .execute();
    await db.schema
      .createIndex('login_event_owner')
      .on('login_event')
      .columns(['principal_name', 'authority', 'id'])
      .execute();

    await db.schema
      .createTable('digest_key')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('key', 'blob', (column) => column.notNull())
      .execute();
    await sql`insert into digest_key (id, key) values (1, ${randomBytes(32)})`.execute(db);
  },
};
