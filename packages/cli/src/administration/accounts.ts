import type { Account, AdminClient, OwnerRevocation } from '@watchword/admin-client';
import { readAll } from '@watchword/admin-client';
import type { AccountFields, AccountRegistration } from '@watchword/administration';
import type { EndedByChange } from '@watchword/protocol';
import type { ListedRows, Row } from '../command/output.ts';
import type { ListOptions } from '../command/paging.ts';
import { UsageError } from '../command/usage-error.ts';
import { listed } from './find-records.ts';
import { noAccount } from './not-found.ts';

/** Local accounts by username. */
export interface AccountTools {
  list(options: ListOptions<string | undefined>): Promise<ListedRows>;
  find(username: string): Promise<Row>;
  /**
   * Over the network, and for a passkey, the row has a reset link, and the password is not asked.
   *
   * @param begins `passkey`, or asks for the password, or reads it
   */
  create(registration: AccountRegistration, begins: 'passkey' | (() => Promise<string>)): Promise<Row>;
  /** Sets the fields. */
  update(username: string, changed: Partial<AccountFields>): Promise<EndedByChange>;
  /** Not over the network. @throws UsageError */
  setPassword(username: string, askPassword: () => Promise<string>): Promise<EndedByChange>;
  resetPassword(username: string, passkey: boolean): Promise<EndedByChange & { readonly resetLink: string }>;
  delete(username: string): Promise<EndedByChange>;
}

/** @throws OAuthError `not_found` */
export async function accountNamed(username: string, { accounts }: AdminClient): Promise<Account> {
  const { items } = await accounts.list({ username });
  // A server answers an empty username with all accounts.
  const account = items.find((candidate) => candidate.username === username);
  if (account === undefined) throw noAccount(username);
  return account;
}

/** Links of accounts to other identity providers, by username. */
export function accountLinkTools(admin: AdminClient) {
  const { accountLinks } = admin;
  return {
    /** By authenticator. */
    async list(username: string, limit: number) {
      const { id } = await accountNamed(username, admin);
      return listed(await readAll((page) => accountLinks.list(id, page), limit));
    },
    async remove(username: string, authenticator: string): Promise<EndedByChange> {
      const { id } = await accountNamed(username, admin);
      return endedOf(await accountLinks.remove({ id, authenticator }));
    },
  };
}

/** No password is sent over the network: users set theirs with a reset link. */
export function accountTools(admin: AdminClient): AccountTools {
  const { accounts } = admin;
  const find = (username: string) => accountNamed(username, admin);

  return {
    list: async ({ after, limit }) =>
      listed(await readAll((page) => accounts.list({ ...page, after }), limit)),

    find: async (username) => ({ ...(await find(username)) }),

    create: async (registration, begins) => ({
      ...(await accounts.create({ ...registration, passkey: begins === 'passkey' })),
    }),

    async update(username, changed) {
      const { record } = await accounts.update((await find(username)).id, changed);
      return endedOf(record.ended);
    },

    async setPassword() {
      throw new UsageError(
        '--url: a password is not set over the network; watchword user reset-password prints a link with which the user sets it',
      );
    },

    async resetPassword(username, passkey) {
      const { resetLink, ended } = await accounts.resetPassword((await find(username)).id, passkey);
      return { ...endedOf(ended), resetLink };
    },

    delete: async (username) => endedOf(await accounts.delete((await find(username)).id)),
  };
}

export function endedOf({ loginSessions: sessions, grants }: OwnerRevocation): EndedByChange {
  return { sessions, grants };
}
