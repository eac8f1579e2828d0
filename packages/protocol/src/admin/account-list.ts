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
    async list(caller, { q, after: first, ...selection }, page) {
      requireAccountAccess(caller, hasLocalLogin);
      const matches = matcher(q);
      return readPage(page, {
        fetch: (after = first, limit) => accounts.list({ ...selection, after, limit }),
        positionOf: (account) => account.username,
        pick: (account) =>
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
