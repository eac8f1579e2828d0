import type { Account } from '../model/account.ts';
import { requireAccountAccess } from './account-access.ts';
import type { AccountRecordAdministration, AccountRecordDependencies } from './account-administration.ts';
import { listedAccount } from './account-record.ts';
import { noSuchAccount } from './account-rules.ts';
import { matcher, readPage } from './page.ts';

type Dependencies = Pick<AccountRecordDependencies, 'accounts' | 'subjectSecret' | 'hasLocalLogin'>;

/** Reads accounts. */
export function accountList({
  accounts,
  subjectSecret,
  hasLocalLogin,
}: Dependencies): Pick<AccountRecordAdministration, 'list' | 'find'> {
  return {
    async list(caller, { q, username, disabled, adminPrincipal }, page) {
      requireAccountAccess(caller, hasLocalLogin);
      const matches = matcher(q);
      const pick = (account: Account) =>
        (disabled === undefined || disabled === account.disabled) &&
        (adminPrincipal === undefined || adminPrincipal === account.adminPrincipal) &&
        matches(account.username, account.displayName, ...account.groups)
          ? listedAccount(subjectSecret, account)
          : undefined;
      if (username !== undefined) {
        const account = await accounts.find(username);
        const listed = account && pick(account);
        return { items: listed === undefined ? [] : [listed], next: undefined };
      }
      return readPage(page, {
        fetch: (after, limit) => accounts.list({ limit, ...(after !== undefined && { after }) }),
        positionOf: (account) => account.username,
        pick,
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
