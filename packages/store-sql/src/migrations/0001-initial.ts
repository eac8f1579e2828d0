import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Resource servers, clients, access tokens. */
export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('configuration')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('reaped_revision', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into configuration (id, revision, reaped_revision) values (1, 0, 0)`.execute(db);

    await db.schema
      .createTable('resource_server')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'blob', (column) => column.notNull())
      .addColumn('previous_secret_hash', 'blob')
      .addColumn('previous_secret_valid_until', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('contact_name', 'text', (column) => column.notNull())
      .addColumn('contact_email', 'text', (column) => column.notNull())
      .addColumn('thumb_nail_url', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('deleted_at', 'integer')
      .execute();
    await uniqueAmongLiving(db, 'resource_server_key', 'resource_server', ['key']);
    await uniqueAmongLiving(db, 'resource_server_owner_name', 'resource_server', ['owner', 'name']);
    await index(db, 'resource_server_revision', 'resource_server', ['revision']);

    await db.schema
      .createTable('client')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'blob')
      .addColumn('previous_secret_hash', 'blob')
      .addColumn('previous_secret_valid_until', 'integer', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('contact_name', 'text', (column) => column.notNull())
      .addColumn('contact_email', 'text', (column) => column.notNull())
      .addColumn('thumb_nail_url', 'text', (column) => column.notNull())
      .addColumn('resource_server_id', 'integer', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('redirect_uris', 'text', (column) => column.notNull())
      .addColumn('allowed_client_credentials', 'integer', (column) => column.notNull())
      .addColumn('allowed_implicit_grant', 'integer', (column) => column.notNull())
      .addColumn('use_refresh_tokens', 'integer', (column) => column.notNull())
      .addColumn('skip_consent', 'integer', (column) => column.notNull())
      .addColumn('include_principal', 'integer', (column) => column.notNull())
      .addColumn('expire_duration', 'integer', (column) => column.notNull())
      .addColumn('attributes', 'text', (column) => column.notNull())
      .addColumn('tokens_valid_from', 'integer', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('deleted_at', 'integer')
      .execute();
    await uniqueAmongLiving(db, 'client_client_id', 'client', ['client_id']);
    await index(db, 'client_resource_server', 'client', ['resource_server_id', 'id']);
    await index(db, 'client_revision', 'client', ['revision']);

    await db.schema
      .createTable('access_token')
      .addColumn('id', 'blob', (column) => column.primaryKey().notNull())
      .addColumn('verifier_hash', 'blob', (column) => column.notNull())
      .addColumn('client_record_id', 'integer', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      // The row lives in the tree of its key: one write to insert, one read to look up.
      .modifyEnd(sql`without rowid`)
      .execute();
    await index(db, 'access_token_client', 'access_token', ['client_record_id', 'id']);
    await db.schema
      .createIndex('access_token_expires')
      .on('access_token')
      .columns(['expires', 'id'])
      .where(sql.ref('expires'), '>', sql.lit(0))
      .execute();
  },
};

async function index(db: Kysely<unknown>, name: string, table: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).on(table).columns(columns).execute();
}

/** Holds among records that are not deleted, so that a name is free again once its record is gone. */
async function uniqueAmongLiving(
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: string[],
): Promise<void> {
  await db.schema
    .createIndex(name)
    .unique()
    .on(table)
    .columns(columns)
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();
}
