import type { AccountStore } from '../ports/account-store.ts';
import { requireAccountAccess } from './account-access.ts';
import { listedAccount } from './account-record.ts';
import type { AccountRecordAdministration, AccountRecordDependencies } from './account-records.ts';
import { noSuchAccount } from './account-rules.ts';
import { matcher, readPage } from './page.ts';

export interface AccountFilter {
  /** Part of the username, the display name or a group. */
  readonly q?: string | undefined;
  /** The whole username. */
  readonly username?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly adminPrincipal?: boolean | undefined;
}

type Dependencies = Pick<AccountRecordDependencies, 'subjectSecret' | 'hasLocalLogin'> & {
  readonly accounts: AccountStore;
};

/** Reads accounts. */
export function accountList({
  accounts,
  subjectSecret,
  hasLocalLogin,
}: Dependencies): Pick<AccountRecordAdministration, 'list' | 'find'> {
  return {
    async list(caller, { q, username, disabled, adminPrincipal }, page) {
      requireAccountAccess(caller, hasLocalLogin);
      if (username !== undefined) {
        const account = await accounts.find(username);
        return {
          items: account === undefined ? [] : [listedAccount(subjectSecret, account)],
          next: undefined,
        };
      }
      const matches = matcher(q);
      return readPage(page, {
        fetch: (after, limit) => accounts.list({ limit, ...(after !== undefined && { after }) }),
        positionOf: (account) => account.username,
        pick: (account) =>
          (disabled === undefined || disabled === account.disabled) &&
          (adminPrincipal === undefined || adminPrincipal === account.adminPrincipal) &&
          matches(account.username, account.displayName, ...account.groups)
            ? listedAccount(subjectSecret, account)
            : undefined,
      });
    },

    async find(caller, id) {
      requireAccountAccess(caller, hasLocalLogin);
      const account = await accounts.findById(id);
      if (account === undefined) throw noSuchAccount();
      return listedAccount(subjectSecret, account);
    },
  };
}
