import {
  accountAdministration,
  accountRecordAdministration,
  commandLineCaller,
} from '@watchword/administration';
import { named, OAuthError } from '@watchword/protocol';
import { resetLinkPath } from '@watchword/server/http/browser/password';
import { argon2Hasher } from '@watchword/server/modules/authentication/password-hasher';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';
import { firstOf } from '../../command/paging.ts';
import type { AccountTools } from '../accounts.ts';
import { noAccount } from '../not-found.ts';
import { accountRow } from '../records.ts';
import { readFirst } from './read-first.ts';

/** @param baseUrl under which users reach the server, for reset links */
export function localAccounts(store: Store, operator: string, baseUrl: string): AccountTools {
  const caller = commandLineCaller(operator);
  const { hash } = argon2Hasher({ random: systemRandom, concurrency: 1 });
  const deps = { ...store, random: systemRandom };
  const accounts = accountAdministration({ ...deps, hashPassword: hash, caller });
  const records = async () => {
    const subjectSecret = await store.subjectKey.read();
    return accountRecordAdministration({ ...deps, subjectSecret, hasLocalLogin: true });
  };
  const linkOf = (value: string) => `${baseUrl}${resetLinkPath(value)}`;
  const find = async (username: string) => {
    const account = await store.accounts.find(username);
    if (account === undefined) throw noAccount(username);
    return account;
  };

  return {
    async list(options) {
      const found = await readFirst(store.accounts.list, options, ({ username }) => username);
      return firstOf(found.map(accountRow), options.limit, await store.accounts.count());
    },

    find: async (username) => accountRow(await find(username)),

    async create(registration, begins) {
      const { username } = registration;
      if ((await store.accounts.find(username)) !== undefined) throw taken(username);
      if (begins !== 'passkey') return accountRow(await accounts.create(registration, await begins()));
      const whole = { fields: registration, malformed: [] };
      const { account, resetLink } = await (await records()).create(caller, whole, begins);
      return { ...accountRow(account), resetLink: linkOf(resetLink) };
    },

    async update(username, changed) {
      await find(username);
      return accounts.update(username, changed);
    },

    async setPassword(username, askPassword) {
      await find(username);
      return accounts.setPassword(username, await askPassword());
    },

    async resetPassword(username, passkey) {
      const { id } = await find(username);
      const factor = passkey ? 'passkey' : 'password';
      const { resetLink, ended } = await (await records()).resetPassword(caller, id, undefined, factor);
      return { ...ended, resetLink: linkOf(resetLink) };
    },

    delete: (username) => accounts.delete(username),
  };
}

function taken(username: string): OAuthError {
  return new OAuthError('conflict', {
    description: `There is already an account with the username ${named(username)}; "watchword user set-password" changes its password.`,
  });
}
