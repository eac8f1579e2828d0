import { type Kysely, sql } from 'kysely';
import { auditedText } from '../history/audit-events.ts';
import { accountSearchColumns, toAccount } from '../people/account-rows.ts';
import {
  clientSearchColumns,
  resourceServerSearchColumns,
  toClient,
  toResourceServer,
} from '../records/record-columns.ts';
import type { Schema } from '../schema/schema.ts';
import { isNotIndexed, type SearchColumns } from '../schema/search-columns.ts';
import { inTurn, type PacedOptions } from './batches.ts';

/** Writes the searched texts of rows that an older release has written. Resolves with the number of rows. */
export async function writeSearchTexts(db: Kysely<Schema>, options: PacedOptions): Promise<number> {
  const written = (batch: (size: number) => Promise<number>) =>
    inTurn(options, ({ batchSize }) => batch(batchSize));
  return (
    (await written((size) => ofAccounts(db, size))) +
    (await written((size) => ofClients(db, size))) +
    (await written((size) => ofResourceServers(db, size))) +
    (await written((size) => ofAuditEvents(db, size)))
  );
}

async function ofAccounts(db: Kysely<Schema>, limit: number): Promise<number> {
  const stale = db.selectFrom('account').selectAll().whereRef('search_revision', '<>', 'revision');
  const rows = await stale.orderBy('username').limit(limit).execute();
  const texts = rows.map((row) => [row.username, accountSearchColumns(toAccount(row))] as const);
  return write(db, 'account', 'username', texts);
}

async function ofClients(db: Kysely<Schema>, limit: number): Promise<number> {
  const stale = db.selectFrom('client').selectAll().whereRef('search_revision', '<>', 'revision');
  const rows = await stale.orderBy('id').limit(limit).execute();
  const texts = rows.map((row) => [row.id, clientSearchColumns(toClient(row), row.revision)] as const);
  return write(db, 'client', 'id', texts);
}

async function ofResourceServers(db: Kysely<Schema>, limit: number): Promise<number> {
  const stale = db.selectFrom('resource_server').selectAll().whereRef('search_revision', '<>', 'revision');
  const rows = await stale.orderBy('id').limit(limit).execute();
  const texts = rows.map(
    (row) => [row.id, resourceServerSearchColumns(toResourceServer(row), row.revision)] as const,
  );
  return write(db, 'resource_server', 'id', texts);
}

/** An event is never changed, so its text has no revision. */
async function ofAuditEvents(db: Kysely<Schema>, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('audit_event')
    .select(['id', 'record_name', 'actor_name', 'client_id', 'client_name'])
    .where(isNotIndexed)
    .where('search_text', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const texts = rows.map((row) => sql`when ${row.id} then ${auditedText(row)}`);
  const written = sql<string>`case id ${sql.join(texts, sql` `)} end`;
  const ids = rows.map(({ id }) => id);
  await db.updateTable('audit_event').set({ search_text: written }).where('id', 'in', ids).execute();
  return rows.length;
}

/** One statement. A row that was changed meanwhile has another revision, and keeps its text. */
async function write(
  db: Kysely<Schema>,
  table: keyof Schema,
  key: string,
  texts: readonly (readonly [key: string | number, columns: SearchColumns])[],
): Promise<number> {
  if (texts.length === 0) return 0;
  const values = texts.map(([of, { search_text: text, search_revision: revision }]) => {
    const type = sql.raw(typeof of === 'string' ? 'text' : 'bigint');
    return sql`(cast(${of} as ${type}), cast(${text} as text), cast(${revision} as bigint))`;
  });
  await sql`update ${sql.table(table)} set search_text = written.column2, search_revision = written.column3
    from (values ${sql.join(values)}) as written
    where ${sql.ref(`${table}.${key}`)} = written.column1 and ${sql.ref(`${table}.revision`)} = written.column3`.execute(
    db,
  );
  return texts.length;
}
