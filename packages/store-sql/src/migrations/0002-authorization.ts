import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Grants and what hangs on them, login sessions, consent, sealing keys. */
export const authorization: Migration = {
  async up(db: Kysely<unknown>) {
    await hotTable(db, 'grant')
      .addColumn('client_record_id', 'integer', (column) => column.notNull())
      .addColumn('authority', 'text', (column) => column.notNull())
      .addColumn('principal_name', 'text', (column) => column.notNull())
      .addColumn('principal', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      .addColumn('last_used', 'integer', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .addColumn('revoked_at', 'integer')
      .execute();
    await index(db, 'grant_client', 'grant', ['client_record_id', 'id']);
    await db.schema
      .createIndex('grant_owner')
      .on('grant')
      .columns(['authority', 'principal_name', 'id'])
      .where(sql.ref('revoked_at'), 'is', null)
      .execute();
    await db.schema
      .createIndex('grant_expires')
      .on('grant')
      .columns(['expires', 'id'])
      .where(sql.ref('expires'), '>', sql.lit(0))
      .execute();
    await db.schema
      .createIndex('grant_revoked')
      .on('grant')
      .columns(['revoked_at', 'id'])
      .where(sql.ref('revoked_at'), 'is not', null)
      .execute();

    await hotTable(db, 'authorization_code')
      .addColumn('verifier_hash', 'blob', (column) => column.notNull())
      .addColumn('grant_id', 'blob', (column) => column.notNull())
      .addColumn('client_record_id', 'integer', (column) => column.notNull())
      .addColumn('redirect_uri', 'text')
      .addColumn('code_challenge', 'text')
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('used_at', 'integer')
      .execute();
    await index(db, 'authorization_code_grant', 'authorization_code', ['grant_id', 'id']);
    await index(db, 'authorization_code_expires', 'authorization_code', ['expires', 'id']);

    await hotTable(db, 'refresh_token')
      .addColumn('verifier_hash', 'blob', (column) => column.notNull())
      .addColumn('grant_id', 'blob', (column) => column.notNull())
      .addColumn('client_record_id', 'integer', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .addColumn('line_expires', 'integer', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      .addColumn('rotated_at', 'integer')
      .addColumn('sealed_answer', 'text')
      .addColumn('successor_id', 'blob')
      .addColumn('repetitions', 'integer', (column) => column.notNull())
      .execute();
    await index(db, 'refresh_token_grant', 'refresh_token', ['grant_id', 'id']);
    await index(db, 'refresh_token_expires', 'refresh_token', ['expires', 'id']);

    await db.schema.alterTable('access_token').addColumn('grant_id', 'blob').execute();
    // Tokens that nobody granted are not in it, and do not pay for it.
    await db.schema
      .createIndex('access_token_grant')
      .on('access_token')
      .columns(['grant_id', 'id'])
      .where(sql.ref('grant_id'), 'is not', null)
      .execute();

    await hotTable(db, 'login_session')
      .addColumn('verifier_hash', 'blob', (column) => column.notNull())
      .addColumn('authenticator', 'text', (column) => column.notNull())
      .addColumn('authority', 'text', (column) => column.notNull())
      .addColumn('principal_name', 'text', (column) => column.notNull())
      .addColumn('principal', 'text', (column) => column.notNull())
      .addColumn('authenticated_at', 'integer', (column) => column.notNull())
      .addColumn('last_used', 'integer', (column) => column.notNull())
      .addColumn('expires', 'integer', (column) => column.notNull())
      .execute();
    await index(db, 'login_session_owner', 'login_session', ['authority', 'principal_name', 'id']);
    await index(db, 'login_session_expires', 'login_session', ['expires', 'id']);

    await db.schema
      .createTable('consent')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('client_record_id', 'integer', (column) => column.notNull())
      .addColumn('authority', 'text', (column) => column.notNull())
      .addColumn('principal_name', 'text', (column) => column.notNull())
      .addColumn('redirect_uri', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('saved_at', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('consent_key')
      .unique()
      .on('consent')
      .columns(['client_record_id', 'authority', 'principal_name', 'redirect_uri'])
      .execute();

    await db.schema
      .createTable('sealing_key')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('key', 'blob', (column) => column.notNull())
      .addColumn('creation_date', 'integer', (column) => column.notNull())
      .execute();
  },
};

/** The row lives in the tree of its key, and the key says when it was made: an insert goes to the end. */
function hotTable(db: Kysely<unknown>, name: string): CreateTableBuilder<string, 'id'> {
  return db.schema
    .createTable(name)
    .addColumn('id', 'blob', (column) => column.primaryKey().notNull())
    .modifyEnd(sql`without rowid`);
}

async function index(db: Kysely<unknown>, name: string, table: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).on(table).columns(columns).execute();
}
