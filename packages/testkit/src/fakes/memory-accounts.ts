import type { Account, AccountStore, EndedByChange, Identity } from '@watchword/protocol';
import { accountAuthority } from '@watchword/protocol';

/**
 * @param accounts where the accounts lie
 * @param endAll ends the login sessions and grants of the owner
 */
export function memoryAccounts(
  accounts: Map<string, Account>,
  endAll: (owner: Identity, now: number) => Promise<EndedByChange>,
): AccountStore {
  return {
    async create(account) {
      if (accounts.has(account.username)) return false;
      accounts.set(account.username, account);
      return true;
    },
    find: async (username) => accounts.get(username),
    list: async ({ after, limit }) =>
      [...accounts.values()]
        .filter(({ username }) => after === undefined || byCodePoint(username, after) > 0)
        .toSorted((a, b) => byCodePoint(a.username, b.username))
        .slice(0, limit),
    async update(username, change, now) {
      const account = accounts.get(username);
      if (account === undefined) return undefined;
      accounts.set(username, { ...account, ...change });
      return endAll({ authority: accountAuthority, name: username }, now);
    },
    async rehash(username, from, to) {
      const account = accounts.get(username);
      if (account?.passwordHash !== from) return false;
      accounts.set(username, { ...account, passwordHash: to });
      return true;
    },
  };
}

/** The order of code points is that of the bytes of UTF-8. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
