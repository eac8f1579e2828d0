import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { clientsNamed, isOfClientNamed, mayContain } from './may-contain.ts';

/** So many rows are looked up by an index. Of more, the newest rows soon have those of a page. */
export const fewRows = 500;

/** The clients that can have a text in a name, and the grants whose owner can. */
export interface NamedIds {
  readonly clients: readonly number[];
  readonly grants: readonly Uint8Array[];
}

/** What a search for tokens or grants looks for first, in texts and names alone. `undefined` if these are not few. */
export async function namedIds(db: Kysely<Schema>, text: string): Promise<NamedIds | undefined> {
  const named = db
    .selectFrom(sql<{ id: number }>`${clientsNamed(text, fewRows + 1)}`.as('found'))
    .select('id');
  // Also revoked ones: with that condition SQLite reads the rows in the order of an index that does not have the names.
  const owned = db
    .selectFrom('authorization_grant')
    .select('id')
    .where(mayContain(text, ['principal_name']))
    .limit(fewRows + 1);
  const [clients, grants] = await Promise.all([named.execute(), owned.execute()]);
  if (clients.length > fewRows || grants.length > fewRows) return undefined;
  return { clients: clients.map(({ id }) => id), grants: grants.map(({ id }) => id) };
}

/** A text that many rows have is found among so many of the newest. Only for other texts are all names read. */
const newestRows = 1000;

/** The newest rows of a table. */
export interface Newest {
  /** @param id column with the id of a row of the table */
  isNewest(id: string): RawBuilder<boolean>;
  /** There are no other rows. */
  readonly isAll: boolean;
}

/** @param condition leaves out the newer rows that are known. It can name the table `token`, as a selection of tokens does */
export async function newestOf(
  db: Kysely<Schema>,
  table: 'access_token' | 'authorization_grant' | 'login_event',
  condition: RawBuilder<boolean>,
): Promise<Newest> {
  const ids = db.selectFrom(sql<{ id: Uint8Array }>`${sql.table(table)}`.as('token')).select('id');
  const newest = ids.where(condition).orderBy('id', 'desc');
  const last = (
    await newest
      .offset(newestRows - 1)
      .limit(1)
      .execute()
  ).at(0)?.id;
  return {
    isNewest: (id) => (last === undefined ? sql`true` : sql`${sql.ref(id)} >= ${last}`),
    isAll: last === undefined,
  };
}

/** Columns of a row that is a token or a grant. */
export interface NamedColumns {
  readonly client: string;
  readonly grant: string;
  readonly owner: string;
}

/** Decides row by row, by {@link namedIds} or, if those are not few, by the names themselves. No index that it could use has the newest first. */
export function isOfNamed(
  found: NamedIds | undefined,
  text: string,
  { client, grant, owner }: NamedColumns,
): RawBuilder<boolean> {
  if (found === undefined) {
    // The client is looked at only if a name leaves it open. A list of all clients that are found can be too large for a hash table, and
    // PostgreSQL would go through it for each row.
    return sql<boolean>`(${mayContain(text, [owner])} or ${isOfClientNamed(text, client, false)})`;
  }
  return sql<boolean>`(${isIn(client, found.clients, sql` + 0`)} or ${isIn(grant, found.grants)})`;
}

/** Decides one of few rows by the names themselves. */
export function isNamed(text: string, { client, owner }: NamedColumns): RawBuilder<boolean> {
  return sql<boolean>`(${mayContain(text, [owner])} or ${isOfClientNamed(text, client, true)})`;
}

/** @param sign keeps an index of the column out */
export function isIn(
  column: string,
  values: readonly unknown[],
  sign: RawBuilder<unknown> = sql``,
): RawBuilder<boolean> {
  return values.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`${sql.ref(column)}${sign} in (${sql.join(values)})`;
}
