import { type AdminClient, readAll } from '@watchword/admin-client';
import type { IdentityProviderTools } from '../administration.ts';
import { identityProviderNamed } from '../not-found.ts';
import { firstOf } from '../paging.ts';
import { rows } from './find-records.ts';

export function remoteIdentityProviders({ identityProviders }: AdminClient): IdentityProviderTools {
  const all = async () => (await readAll((page) => identityProviders.list(page))).items;

  return {
    async list({ after = '', limit }) {
      const found = await all();
      const following = found.filter(({ identityProvider }) => identityProvider > after);
      return firstOf(rows(following), limit, found.length);
    },
    find: async (name) => identityProviderNamed(name, await all()),
    end: (name) => identityProviders.end(name),
  };
}
