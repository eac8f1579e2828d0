import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whose a resource server is, by authority and name; the trail of what was changed; how many tokens were issued. */
export const administration: Migration = {
  async up(db: Kysely<unknown>) {
    // What is there was registered at the command line and belongs to nobody who calls over HTTP.
    await db.schema
      .alterTable('resource_server')
      .addColumn('owner_authority', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema.dropIndex('resource_server_owner_name').execute();
    await db.schema
      .createIndex('resource_server_owner_name')
      .unique()
      .on('resource_server')
      .columns(['owner', 'owner_authority', 'name'])
      .where(sql.ref('deleted_at'), 'is', null)
      .execute();

    // The name first: administrators look for a name, whoever vouches for it.
    await db.schema.dropIndex('grant_owner').execute();
    await db.schema
      .createIndex('grant_owner')
      .on('grant')
      .columns(['principal_name', 'authority', 'id'])
      .where(sql.ref('revoked_at'), 'is', null)
      .execute();

    await db.schema
      .createTable('audit_event')
      .addColumn('id', 'blob', (column) => column.primaryKey().notNull())
      .addColumn('time', 'integer', (column) => column.notNull())
      .addColumn('actor_authority', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('record_type', 'text', (column) => column.notNull())
      .addColumn('record_id', 'text', (column) => column.notNull())
      .addColumn('record_name', 'text', (column) => column.notNull())
      .addColumn('owner_authority', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .modifyEnd(sql`without rowid`)
      .execute();
    await db.schema
      .createIndex('audit_event_owner')
      .on('audit_event')
      .columns(['owner', 'owner_authority', 'id'])
      .execute();

    await db.schema
      .createTable('issued_count')
      .addColumn('hour', 'integer', (column) => column.notNull())
      .addColumn('client_record_id', 'integer', (column) => column.notNull())
      .addColumn('grant_type', 'text', (column) => column.notNull())
      .addColumn('tokens', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('issued_count_key', ['hour', 'client_record_id', 'grant_type'])
      .modifyEnd(sql`without rowid`)
      .execute();
  },
};
