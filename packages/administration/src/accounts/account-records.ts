import { hasSecondFactor, newAccount, newResetLink } from '@watchword/accounts';
import {
  type Account,
  type AccountChange,
  accountIdentityProvider,
  accountTexts,
  type EndedByChange,
  OAuthError,
  type TransactionStores,
  Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { difference } from '../changes/audit.ts';
import { changeRecords } from '../changes/change-records.ts';
import { checkCondition, type EditCondition, revisionTag } from '../changes/edit.ts';
import { readPage, searchFor } from '../lists/page.ts';
import type {
  AccountRecordAdministration,
  AccountRecordDependencies,
  ChangedAccount,
} from './account-administration.ts';
import { type ListedAccount, listedAccount, ofAccount } from './account-record.ts';
import {
  accountChange,
  accountState,
  checkNewAccount,
  endRightsOf,
  noSuchAccount,
  registrationOf,
  requireAccountAccess,
  requireAdministratorLeft,
  requireNoRecords,
  requirePasskeys,
  requirePersonFor,
  usernameTaken,
} from './account-rules.ts';

const nothing: EndedByChange = { sessions: 0, grants: 0 };

export function accountRecordAdministration(deps: AccountRecordDependencies): AccountRecordAdministration {
  const { clock, random, subjectSecret } = deps;
  const requireAccess = (caller: Caller) => requireAccountAccess(caller, deps.hasLocalLogin);
  const shown = (account: Account) => listedAccount(subjectSecret, account);

  return {
    ...accountList(deps),
    ...accountCreation(deps),

    async update(caller, id, { apply, malformed, condition }) {
      requireAccess(caller);
      return changeRecords(caller, deps, async (stores) => {
        const before = await stored(id, condition, stores);
        const change = accountChange(before, apply(before), new Violations(malformed));
        requirePersonFor(caller, before, change);
        await requireAdministratorLeft(caller, before, { ...before, ...change }, stores);
        const changed = difference(accountState(before), accountState({ ...before, ...change }));
        if (Object.keys(changed.after).length === 0) {
          return { value: { ...shown(before), ended: nothing }, changes: [] };
        }
        const value = await write(before, change, stores);
        const updated = { action: 'update', ...ofAccount(before.username), ...changed } as const;
        return { value, changes: [updated, ...(await endRightsOf(before, value.account, stores))] };
      });
    },

    async resetPassword(caller, id, condition, factor) {
      requireAccess(caller);
      requirePasskeys(factor === 'passkey', deps);
      const { value: resetLink, stored: link } = newResetLink(clock.now(), random, factor);
      return changeRecords(caller, deps, async (stores) => {
        const before = await stored(id, condition, stores);
        requirePersonFor(caller, before);
        if (before.disabled) throw disabledAccount();
        if (factor === 'passkey') await requireNoFactor(before, stores);
        const change = { passwordHash: undefined, resetLink: link };
        await requireAdministratorLeft(caller, before, { ...before, ...change }, stores);
        return {
          value: { ...(await write(before, change, stores)), resetLink },
          changes: [{ action: 'resetPassword', ...ofAccount(before.username) }],
        };
      });
    },

    async delete(caller, id, condition) {
      requireAccess(caller);
      return changeRecords(caller, deps, async (stores) => {
        const before = await stored(id, condition, stores);
        const { username } = before;
        requirePersonFor(caller, before);
        await requireAdministratorLeft(caller, before, undefined, stores);
        await requireNoRecords(username, stores);
        const ended = await stores.accounts.delete(username, clock.now());
        if (ended === undefined) throw noSuchAccount();
        const deleted = { action: 'delete', ...ofAccount(username), before: accountState(before) } as const;
        return { value: ended, changes: [deleted, ...(await endRightsOf(before, undefined, stores))] };
      });
    },
  };

  async function write(
    { id, username }: Account,
    change: AccountChange,
    { accounts }: Pick<TransactionStores, 'accounts'>,
  ): Promise<ChangedAccount> {
    const ended = await accounts.update(username, change, clock.now());
    const after = await accounts.findById(id);
    if (ended === undefined || after === undefined) throw noSuchAccount();
    return { ...shown(after), ended };
  }
}

/** @throws OAuthError `not_found`, `precondition_failed` */
async function stored(
  id: string,
  condition: EditCondition | undefined,
  { accounts }: Pick<TransactionStores, 'accounts'>,
): Promise<Account> {
  const account = await accounts.findById(id);
  if (account === undefined) throw noSuchAccount();
  checkCondition(condition, revisionTag(account));
  return account;
}

/** A passkey that is added with a link would open the account beside the factors that it has. @throws OAuthError `conflict` */
async function requireNoFactor(
  { username }: Account,
  { credentials }: Pick<TransactionStores, 'credentials'>,
): Promise<void> {
  if (!hasSecondFactor(await credentials.listByOwner(ofAccount(username).owner))) return;
  throw new OAuthError('conflict', {
    description:
      'The account has a passkey or a second factor. Remove its factors first, or make a link for a password.',
  });
}

function disabledAccount(): OAuthError {
  return new OAuthError('conflict', {
    description: 'The account is disabled. Enable it first; a reset link is of no use before.',
  });
}

type Dependencies = Pick<
  AccountRecordDependencies,
  'accounts' | 'auditEvents' | 'clock' | 'subjectSecret' | 'hasLocalLogin'
>;

/** Milliseconds: as long as the use of clients is known. */
const month = 31 * 86_400_000;

/** Reads accounts. */
function accountList(deps: Dependencies): Pick<AccountRecordAdministration, 'list' | 'count' | 'find'> {
  const { accounts, subjectSecret, hasLocalLogin } = deps;
  return {
    async list(caller, { q, after: first, lastLogin, ...selection }, page) {
      requireAccountAccess(caller, hasLocalLogin);
      const { mayContain, matches } = searchFor(q);
      const query = { ...selection, mayContain };
      const { items, next } = await readPage(page, {
        fetch: (after = first, limit) => accounts.list({ ...query, after, limit }),
        positionOf: (account) => account.username,
        pick: (account) =>
          matches(...accountTexts(account)) ? listedAccount(subjectSecret, account) : undefined,
      });
      return { items: lastLogin === true ? await withLastLogin(items, deps) : items, next };
    },

    async count(caller) {
      requireAccountAccess(caller, hasLocalLogin);
      return accounts.count();
    },

    async find(caller, id) {
      requireAccountAccess(caller, hasLocalLogin);
      const account = await accounts.findById(id);
      if (account === undefined) throw noSuchAccount();
      return listedAccount(subjectSecret, account);
    },
  };
}

async function withLastLogin(
  listed: readonly ListedAccount[],
  { auditEvents, clock }: Pick<Dependencies, 'auditEvents' | 'clock'>,
): Promise<ListedAccount[]> {
  const found = await auditEvents.lastLogins({
    identityProvider: accountIdentityProvider,
    names: listed.map(({ account }) => account.username),
    since: clock.now() - month,
  });
  return listed.map((each) => ({ ...each, lastLogin: found.get(each.account.username) ?? null }));
}

/** Creates accounts whose users set their passwords, or add their passkeys, with a reset link. */
function accountCreation(deps: AccountRecordDependencies): Pick<AccountRecordAdministration, 'create'> {
  const { clock, hasLocalLogin, random, subjectSecret } = deps;
  return {
    async create(caller, { fields, malformed }, factor) {
      requireAccountAccess(caller, hasLocalLogin);
      requirePasskeys(factor === 'passkey', deps);
      const registration = registrationOf(fields);
      requirePersonFor(caller, undefined, registration);
      const violations = new Violations(malformed);
      checkNewAccount(registration, violations);
      violations.throwIfAny();
      const now = clock.now();
      const { value: resetLink, stored } = newResetLink(now, random, factor);
      const account = { ...newAccount(registration, now, random), resetLink: stored };
      return changeRecords(caller, deps, async (stores) => {
        if (!(await stores.accounts.create(account))) throw usernameTaken();
        const created = { action: 'create', ...ofAccount(account.username) } as const;
        return {
          value: { ...listedAccount(subjectSecret, account), resetLink },
          changes: [{ ...created, after: accountState(account) }],
        };
      });
    },
  };
}
