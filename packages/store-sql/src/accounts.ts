import {
  type Account,
  type AccountChange,
  type AccountQuery,
  type AccountStore,
  accountIdentityProvider,
  type EndedByChange,
  type Identity,
} from '@watchword/protocol';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { deleteConsents } from './deleted-consents.ts';
import type { AccountTable, Schema } from './schema.ts';

/** @param inTransaction runs the work in a new transaction, or in the open one */
export function sqlAccounts(
  db: Kysely<Schema>,
  inTransaction: <Value>(work: (transaction: Transaction<Schema>) => Promise<Value>) => Promise<Value> = (
    work,
  ) => db.transaction().execute(work),
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

    async find(username) {
      const row = await db
        .selectFrom('account')
        .selectAll()
        .where('username', '=', username)
        .executeTakeFirst();
      return row && toAccount(row);
    },

    async findById(id) {
      const row = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAccount(row);
    },

    async findByResetLink(digest) {
      const row = await db
        .selectFrom('account')
        .selectAll()
        .where('reset_digest', '=', digest)
        .executeTakeFirst();
      return row && toAccount(row);
    },

    async hasOtherAdministrator(username) {
      const row = await db
        .selectFrom('account')
        .select('id')
        .where('username', '!=', username)
        .where('admin_principal', '=', 1)
        .where('disabled', '=', 0)
        .where('password_hash', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    list: (query) => listAccounts(db, query),

    update: (username, change, now) =>
      inTransaction((transaction) => changeAccount(transaction, username, change, now)),

    delete: (username, now) => inTransaction((transaction) => deleteAccount(transaction, username, now)),

    async replaceHash(username, from, to) {
      const { numUpdatedRows } = await db
        .updateTable('account')
        .set({ password_hash: to })
        .where('username', '=', username)
        .where('password_hash', '=', from)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}

async function listAccounts(
  db: Kysely<Schema>,
  { after, limit, username, disabled, adminPrincipal, hasPassword }: AccountQuery,
): Promise<Account[]> {
  let query = db.selectFrom('account').selectAll().orderBy('username').limit(limit);
  if (after !== undefined) query = query.where('username', '>', after);
  if (username !== undefined) query = query.where('username', '=', username);
  if (disabled !== undefined) query = query.where('disabled', '=', Number(disabled));
  if (adminPrincipal !== undefined) query = query.where('admin_principal', '=', Number(adminPrincipal));
  if (hasPassword !== undefined) query = query.where('password_hash', hasPassword ? 'is not' : 'is', null);
  return (await query.execute()).map(toAccount);
}

async function changeAccount(
  transaction: Transaction<Schema>,
  username: string,
  change: AccountChange,
  now: number,
): Promise<EndedByChange | undefined> {
  // The update locks the row, so that a change at the same time begins with the result of this one.
  const row = await transaction
    .updateTable('account')
    .set((update) => ({ revision: update('revision', '+', 1) }))
    .where('username', '=', username)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await transaction
    .updateTable('account')
    .set(accountColumns({ ...toAccount(row), ...change, revision: row.revision }))
    .where('username', '=', username)
    .execute();
  return endAll(transaction, { identityProvider: accountIdentityProvider, name: username }, now);
}

async function deleteAccount(
  transaction: Transaction<Schema>,
  username: string,
  now: number,
): Promise<EndedByChange | undefined> {
  const { numDeletedRows } = await transaction
    .deleteFrom('account')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return undefined;
  const isOwn = sql<boolean>`principal_name = ${username} and identity_provider = ${accountIdentityProvider}`;
  const ended = await endAll(transaction, { identityProvider: accountIdentityProvider, name: username }, now);
  // After the grants: a consent that is being saved keeps its grant from being revoked until it is stored.
  await deleteConsents(transaction, isOwn);
  return ended;
}

/** Ends all login sessions of the owner and revokes all grants. Returns the numbers of those that were valid. */
async function endAll(
  transaction: Transaction<Schema>,
  { identityProvider, name }: Identity,
  now: number,
): Promise<EndedByChange> {
  const sessions = await transaction
    .deleteFrom('login_session')
    .where('identity_provider', '=', identityProvider)
    .where('principal_name', '=', name)
    .returning('expires')
    .execute();
  const grants = await transaction
    .updateTable('authorization_grant')
    .set({ revoked_at: now })
    .where('identity_provider', '=', identityProvider)
    .where('principal_name', '=', name)
    .where('revoked_at', 'is', null)
    .returning('expires')
    .execute();
  return {
    sessions: sessions.filter(({ expires }) => expires > now).length,
    grants: grants.filter(({ expires }) => expires === 0 || expires > now).length,
  };
}

function accountColumns(account: Account): AccountTable {
  return {
    id: account.id,
    username: account.username,
    password_hash: account.passwordHash ?? null,
    display_name: account.displayName,
    role_names: JSON.stringify(account.roles),
    group_names: JSON.stringify(account.groups),
    admin_principal: Number(account.adminPrincipal),
    disabled: Number(account.disabled),
    creation_date: account.creationDate,
    revision: account.revision,
    reset_digest: account.resetLink?.digest ?? null,
    reset_expires: account.resetLink?.expires ?? null,
  };
}

function toAccount(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash ?? undefined,
    displayName: row.display_name,
    roles: JSON.parse(row.role_names),
    groups: JSON.parse(row.group_names),
    adminPrincipal: row.admin_principal === 1,
    disabled: row.disabled === 1,
    creationDate: row.creation_date,
    revision: row.revision,
    ...resetLinkOf(row),
  };
}

function resetLinkOf({ reset_digest, reset_expires }: Selectable<AccountTable>): Pick<Account, 'resetLink'> {
  if (reset_digest === null || reset_expires === null) return {};
  return { resetLink: { digest: reset_digest, expires: reset_expires } };
}
