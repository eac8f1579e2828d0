import type { IdentityProviderTools } from '../administration.ts';
import { identityProviderNamed } from '../not-found.ts';
import type { LocalRecords } from './records.ts';

export function localIdentityProviders({
  store,
  caller,
  identityProviders,
}: LocalRecords): IdentityProviderTools {
  // The database does not contain the identity providers of the configuration.
  const all = async () =>
    (await store.identityProviderUse.list()).map((used) => ({ ...used, configured: null }));

  return {
    list: async ({ after = '', limit }) =>
      (await all()).filter(({ identityProvider }) => identityProvider > after).slice(0, limit),
    find: async (name) => identityProviderNamed(name, await all()),
    end: (name) => identityProviders.end(caller, name),
  };
}
