import {
  type Account,
  type AccountChange,
  type EndedByChange,
  newResetLink,
  OAuthError,
  type TransactionStores,
  Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { difference, ofAccount } from '../changes/audit.ts';
import { changeRecords } from '../changes/change-records.ts';
import { checkCondition, type EditCondition, revisionTag } from '../changes/edit.ts';
import { requireAccountAccess } from './account-access.ts';
import type {
  AccountRecordAdministration,
  AccountRecordDependencies,
  ChangedAccount,
} from './account-administration.ts';
import { accountCreation } from './account-creation.ts';
import { accountList } from './account-list.ts';
import { listedAccount } from './account-record.ts';
import {
  accountChange,
  accountState,
  noSuchAccount,
  requireAdministratorLeft,
  requireNoRecords,
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
        await requireAdministratorLeft(caller, before, { ...before, ...change }, stores);
        const changed = difference(accountState(before), accountState({ ...before, ...change }));
        if (Object.keys(changed.after).length === 0) {
          return { value: { ...shown(before), ended: nothing }, changes: [] };
        }
        return {
          value: await write(before, change, stores),
          changes: [{ action: 'update', ...ofAccount(before.username), ...changed }],
        };
      });
    },

    async resetPassword(caller, id, condition) {
      requireAccess(caller);
      const { value: resetLink, stored: link } = newResetLink(clock.now(), random);
      return changeRecords(caller, deps, async (stores) => {
        const before = await stored(id, condition, stores);
        if (before.disabled) throw disabledAccount();
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
        await requireAdministratorLeft(caller, before, undefined, stores);
        await requireNoRecords(username, stores);
        const ended = await stores.accounts.delete(username, clock.now());
        if (ended === undefined) throw noSuchAccount();
        const deleted = { action: 'delete', ...ofAccount(username), before: accountState(before) } as const;
        return { value: ended, changes: [deleted] };
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

function disabledAccount(): OAuthError {
  return new OAuthError('conflict', {
    description: 'The account is disabled. Enable it first; a reset link is of no use before.',
  });
}
