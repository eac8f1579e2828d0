import {
  type Account,
  type AccountChange,
  type AccountQuery,
  type AccountStore,
  accountIdentityProvider,
  type EndedByChange,
  type Identity,
  isSameAddress,
} from '@watchword/protocol';
import { type Kysely, sql, type Transaction } from 'kysely';
import { deleteConsents } from '../grants/end-access.ts';
import { endClientsOf, endTrustedBrowsers, type SessionEnds } from '../logins/session-ends.ts';
import { type AfterCommit, withWorkAfterCommit } from '../queries/after-commit.ts';
import { inParts } from '../queries/in-parts.ts';
import type { AccountTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';
import { hasText, searchedKeys } from '../schema/search-columns.ts';
import { accountColumns, toAccount } from './account-rows.ts';
import { endLinksOf } from './person-links.ts';

type InTransaction = <Value>(
  work: (transaction: Transaction<Schema>, afterCommit: AfterCommit) => Promise<Value>,
) => Promise<Value>;

/** @param inTransaction runs the work in a new transaction, or in the open one */
export function sqlAccounts(
  db: Kysely<Schema>,
  ends: SessionEnds,
  inTransaction: InTransaction = (work) =>
    withWorkAfterCommit(db, (afterCommit) =>
      db.transaction().execute((transaction) => work(transaction, afterCommit)),
    ),
): AccountStore {
  return {
    async create(account) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('account')
        .values(accountColumns(account))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },

    createAll: (accounts) => createAll(db, accounts),

    find: (username) => findAccount(db, 'username', username),
    listNamed: (usernames) => listNamed(db, usernames),
    findById: (id) => findAccount(db, 'id', id),
    findByResetLink: (digest) => findAccount(db, 'reset_digest', digest),

    listByEmail: (email, limit) => accountsOfEmail(db, email, limit),

    hashNear: (id) => hashNear(db, id),

    hasOtherAdministrator: (username) => hasOtherAdministrator(db, username),

    list: (query) => listAccounts(db, query),

    async count() {
      const accounts = db.selectFrom('account').select(({ fn }) => fn.countAll<number>().as('count'));
      return (await accounts.executeTakeFirstOrThrow()).count;
    },

    update: (username, change, now) =>
      inTransaction(async (transaction, afterCommit) => {
        const end = (on: Kysely<Schema>) => endAll(on, ownerOf(username), now);
        if (!(await changeAccount(transaction, username, change))) return undefined;
        return endTwice(end, transaction, afterCommit, ends, now);
      }),

    delete: (username, now) =>
      inTransaction(async (transaction, afterCommit) => {
        const end = (on: Kysely<Schema>) => endOfForgotten(on, ownerOf(username), now);
        const id = await deleteAccount(transaction, username);
        if (id === undefined) return undefined;
        await endLinksOf(transaction, id);
        for (const table of ['account_link', 'outgoing_mail'] as const) {
          await transaction.deleteFrom(table).where('account_id', '=', id).execute();
        }
        return endTwice(end, transaction, afterCommit, ends, now);
      }),

    forget: (person, now) =>
      inTransaction((transaction, afterCommit) => {
        const end = (on: Kysely<Schema>) => endOfForgotten(on, person, now);
        return endTwice(end, transaction, afterCommit, ends, now);
      }),

    replaceHash: (username, from, to) => replaceHash(db, username, from, to),
  };
}

async function createAll(db: Kysely<Schema>, accounts: readonly Account[]): Promise<number> {
  let created = 0n;
  for (const part of inParts(accounts)) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('account')
      .values(part.map((account) => accountColumns(account)))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    created += numInsertedOrUpdatedRows;
  }
  return Number(created);
}

async function listNamed(db: Kysely<Schema>, usernames: readonly string[]): Promise<Account[]> {
  const found: Account[] = [];
  for (const part of inParts(usernames)) {
    const rows = await db.selectFrom('account').selectAll().where('username', 'in', part).execute();
    found.push(...rows.map(toAccount));
  }
  return found;
}

async function findAccount<Column extends 'id' | 'username' | 'reset_digest'>(
  db: Kysely<Schema>,
  column: Column,
  value: NonNullable<AccountTable[Column]>,
): Promise<Account | undefined> {
  const row = await db
    .selectFrom('account')
    .selectAll()
    .where(sql.ref(column), '=', value)
    .executeTakeFirst();
  return row && toAccount(row);
}

/** The index finds more where the database folds letters of other scripts too: a Kelvin sign is no `k`. */
async function accountsOfEmail(db: Kysely<Schema>, email: string, limit: number): Promise<Account[]> {
  const rows = await db
    .selectFrom('account')
    .selectAll()
    .where(sql<boolean>`lower(email) = lower(${email}) and email > ''`)
    .orderBy('username')
    .limit(limit)
    .execute();
  return rows.map(toAccount).filter((account) => isSameAddress(account.email, email));
}

async function replaceHash(
  db: Kysely<Schema>,
  username: string,
  from: string | undefined,
  to: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ password_hash: to, reset_digest: null, reset_expires: null })
    .where('username', '=', username)
    .where('password_hash', from === undefined ? 'is' : '=', from ?? null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function hashNear(db: Kysely<Schema>, id: string): Promise<string | undefined> {
  const next = db.selectFrom('account').select('password_hash').where('id', '>=', id).orderBy('id').limit(1);
  return (await next.executeTakeFirst())?.password_hash ?? undefined;
}

async function hasOtherAdministrator(db: Kysely<Schema>, username: string): Promise<boolean> {
  const hasPasskey = sql<boolean>`exists (select 1 from credential
    where identity_provider = ${accountIdentityProvider} and principal_name = account.username and kind = 'passkey')`;
  const row = await db
    .selectFrom('account')
    .select('account.id')
    .where('username', '!=', username)
    .where('admin_principal', '=', 1)
    .where('disabled', '=', 0)
    .where(sql<boolean>`(password_hash is not null or ${hasPasskey})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function listAccounts(
  db: Kysely<Schema>,
  { mayContain: text, ...query }: AccountQuery,
): Promise<Account[]> {
  const accounts = db.selectFrom('account').selectAll().orderBy('username').limit(query.limit);
  if (text === undefined) return (await accounts.where(isSelected(query)).execute()).map(toAccount);
  const isWanted = sql<boolean>`${hasText(text, 'account')} and ${isSelected(query)}`;
  const end = sql`order by account.username limit ${query.limit}`;
  const searched = searchedKeys('account', 'username', isWanted, end);
  return (await accounts.where(sql<boolean>`username in ${searched}`).execute()).map(toAccount);
}

function isSelected({ after, username, disabled, adminPrincipal, hasPassword }: Omit<AccountQuery, 'limit'>) {
  const conditions = [sql<boolean>`true`];
  if (after !== undefined) conditions.push(sql`account.username > ${after}`);
  if (username !== undefined) conditions.push(sql`account.username = ${username}`);
  if (disabled !== undefined) conditions.push(sql`account.disabled = ${Number(disabled)}`);
  if (adminPrincipal !== undefined) conditions.push(sql`account.admin_principal = ${Number(adminPrincipal)}`);
  if (hasPassword === true) conditions.push(sql`account.password_hash is not null`);
  if (hasPassword === false) conditions.push(sql`account.password_hash is null`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** `false` if there is no such account. */
async function changeAccount(
  transaction: Transaction<Schema>,
  username: string,
  change: AccountChange,
): Promise<boolean> {
  // The update locks the row, so that a change at the same time begins with the result of this one.
  const row = await transaction
    .updateTable('account')
    .set((update) => ({ revision: update('revision', '+', 1) }))
    .where('username', '=', username)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return false;
  const isEnabled = row.disabled === 1 && change.disabled === false;
  const enabledRevision = isEnabled ? row.revision : row.enabled_revision;
  await transaction
    .updateTable('account')
    .set(
      accountColumns({ ...toAccount(row), ...change, revision: row.revision, enabledRevision }, row.claims),
    )
    .where('username', '=', username)
    .execute();
  return true;
}

/** Resolves with the id of the account; `undefined` if there was none. */
async function deleteAccount(
  transaction: Transaction<Schema>,
  username: string,
): Promise<string | undefined> {
  const deletion = transaction.deleteFrom('account').where('username', '=', username).returning('id');
  return (await deletion.executeTakeFirst())?.id;
}

async function endOfForgotten(db: Kysely<Schema>, person: Identity, now: number): Promise<Ended> {
  const { identityProvider, name } = person;
  const isOwn = sql<boolean>`principal_name = ${name} and identity_provider = ${identityProvider}`;
  const ended = await endAll(db, person, now);
  // After the grants: a consent that is being saved keeps its grant from being revoked until it is stored.
  await deleteConsents(db, isOwn);
  await db.deleteFrom('step_record').where(isOwn).execute();
  await db.deleteFrom('credential').where(isOwn).execute();
  return ended;
}

function ownerOf(username: string): Identity {
  return { identityProvider: accountIdentityProvider, name: username };
}

interface Ended extends EndedByChange {
  readonly sessionIds: readonly Uint8Array[];
}

/** In the transaction, and after it what was stored at the same time. */
async function endTwice(
  end: (on: Kysely<Schema>) => Promise<Ended>,
  transaction: Transaction<Schema>,
  afterCommit: AfterCommit,
  ends: SessionEnds,
  now: number,
): Promise<EndedByChange> {
  const { sessionIds, ...counts } = await end(transaction);
  await endClientsOf(transaction, sessionIds, now);
  const ended = [...sessionIds];
  afterCommit(async (on) => {
    ended.push(...(await end(on)).sessionIds);
    await endClientsOf(on, ended, now);
    ends.report();
  });
  return counts;
}

/** Ends all login sessions of the owner, which can create grants, and then revokes all grants. Returns the numbers of those that were valid. */
async function endAll(db: Kysely<Schema>, { identityProvider, name }: Identity, now: number): Promise<Ended> {
  const sessions = await db
    .deleteFrom('login_session')
    .where('identity_provider', '=', identityProvider)
    .where('principal_name', '=', name)
    .returning(['id', 'expires'])
    .execute();
  const grants = await db
    .updateTable('authorization_grant')
    .set({ revoked_at: now })
    .where('identity_provider', '=', identityProvider)
    .where('principal_name', '=', name)
    .where('revoked_at', 'is', null)
    .returning('expires')
    .execute();
  await endTrustedBrowsers(db, { identityProvider, name });
  return {
    sessionIds: sessions.map(({ id }) => id),
    sessions: sessions.filter(({ expires }) => expires > now).length,
    grants: grants.filter(({ expires }) => expires === 0 || expires > now).length,
  };
}
