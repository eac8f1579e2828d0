import {
  type AdminClient,
  type AuthenticatorChange,
  type NewAuthenticator,
  readAll,
} from '@watchword/admin-client';
import { sumOfUse } from '@watchword/administration';
import { isOfAuthenticator } from '@watchword/protocol';
import { firstOf, type ListOptions } from '../command/paging.ts';
import { rows } from './find-records.ts';

/** The identity providers that administrators set up, and over the network those of the configuration too. */
export function authenticatorTools({ authenticators, identityProviders }: AdminClient) {
  const find = async (name: string) => (await authenticators.get(name)).record;

  return {
    /** In the order of the page on which users choose. */
    async list({ after, limit }: ListOptions<string | undefined>) {
      const { items } = await readAll((page) => authenticators.list(page));
      const following = items.slice(
        after === undefined ? 0 : items.findIndex(({ name }) => name === after) + 1,
      );
      return firstOf(rows(following), limit, items.length);
    },
    find,
    create: async (fields: NewAuthenticator) => (await authenticators.create(fields)).record,
    update: async (name: string, change: AuthenticatorChange) =>
      (await authenticators.update(name, change)).record,
    /** What its users have, which ends with a deletion. */
    async used(name: string) {
      await find(name);
      const { items } = await readAll((page) => identityProviders.list(page));
      return sumOfUse(items.filter(({ identityProvider }) => isOfAuthenticator(name, identityProvider)));
    },
    delete: (name: string) => authenticators.delete(name),
    tryLogin: (name: string) => authenticators.tryLogin(name),
    testLogin: (testId: string) => authenticators.testLogin(testId),
  };
}
