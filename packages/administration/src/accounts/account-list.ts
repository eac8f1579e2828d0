import { accountTexts } from '@watchword/protocol';
import { readPage, searchFor } from '../lists/page.ts';
import { requireAccountAccess } from './account-access.ts';
import type { AccountRecordAdministration, AccountRecordDependencies } from './account-administration.ts';
import { listedAccount } from './account-record.ts';
import { noSuchAccount } from './account-rules.ts';

type Dependencies = Pick<AccountRecordDependencies, 'accounts' | 'subjectSecret' | 'hasLocalLogin'>;

/** Reads accounts. */
export function accountList({
  accounts,
  subjectSecret,
  hasLocalLogin,
}: Dependencies): Pick<AccountRecordAdministration, 'list' | 'count' | 'find'> {
  return {
    async list(caller, { q, after: first, ...selection }, page) {
      requireAccountAccess(caller, hasLocalLogin);
      const { mayContain, matches } = searchFor(q);
      const query = { ...selection, mayContain };
      return readPage(page, {
        fetch: (after = first, limit) => accounts.list({ ...query, after, limit }),
        positionOf: (account) => account.username,
        pick: (account) =>
          matches(...accountTexts(account)) ? listedAccount(subjectSecret, account) : undefined,
      });
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
