import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts of issued tokens by resource server and in all, instead of by client: a month is read at once. */
export const issuedByHour: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('issued_by_hour')
      .addColumn('resource_server_id', 'integer', (column) => column.notNull())
      .addColumn('hour', 'integer', (column) => column.notNull())
      .addColumn('grant_type', 'text', (column) => column.notNull())
      .addColumn('tokens', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('issued_by_hour_key', ['resource_server_id', 'hour', 'grant_type'])
      .modifyEnd(sql`without rowid`)
      .execute();
    await db.schema.createIndex('issued_by_hour_hour').on('issued_by_hour').columns(['hour']).execute();
    await sql`
      insert into issued_by_hour
        select 0, hour, grant_type, sum(tokens) from issued_count group by hour, grant_type`.execute(db);
    await sql`
      insert into issued_by_hour
        select client.resource_server_id, hour, grant_type, sum(tokens)
        from issued_count join client on client.id = client_record_id
        group by client.resource_server_id, hour, grant_type`.execute(db);
    await db.schema.dropTable('issued_count').execute();
  },
};
