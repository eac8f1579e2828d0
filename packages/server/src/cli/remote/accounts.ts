import type { Account, AdminClient, OwnerRevocation } from '@watchword/admin-client';
import { readAll } from '@watchword/admin-client';
import type { EndedByChange } from '@watchword/protocol';
import type { AccountTools } from '../administration.ts';
import { noAccount } from '../not-found.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './find-records.ts';

/** No password is sent over the network: users set theirs with a reset link. */
export function remoteAccounts({ accounts }: AdminClient): AccountTools {
  const find = async (username: string): Promise<Account> => {
    const { items } = await accounts.list({ username });
    // A server answers an empty username with all accounts.
    const account = items.find((candidate) => candidate.username === username);
    if (account === undefined) throw noAccount(username);
    return account;
  };

  return {
    list: async ({ after, limit }) =>
      listed(await readAll((page) => accounts.list({ ...page, after }), limit)),

    find: async (username) => ({ ...(await find(username)) }),

    create: async (registration) => ({ ...(await accounts.create(registration)) }),

    async update(username, changed) {
      const { record } = await accounts.update((await find(username)).id, changed);
      return endedOf(record.ended);
    },

    async setPassword() {
      throw new UsageError(
        '--url: a password is not set over the network; watchword user reset-password prints a link with which the user sets it',
      );
    },

    async resetPassword(username) {
      const { resetLink, ended } = await accounts.resetPassword((await find(username)).id);
      return { ...endedOf(ended), resetLink };
    },

    delete: async (username) => endedOf(await accounts.delete((await find(username)).id)),
  };
}

function endedOf({ loginSessions: sessions, grants }: OwnerRevocation): EndedByChange {
  return { sessions, grants };
}
