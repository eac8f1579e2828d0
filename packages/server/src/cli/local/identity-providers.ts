import type { IdentityProviderTools } from '../administration.ts';
import { identityProviderNamed } from '../not-found.ts';
import { firstOf } from '../paging.ts';
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
    async list({ after = '', limit }) {
      const found = await all();
      const following = found.filter(({ identityProvider }) => identityProvider > after);
      return firstOf(following, limit, found.length);
    },
    find: async (name) => identityProviderNamed(name, await all()),
    end: (name) => identityProviders.end(caller, name),
  };
}
