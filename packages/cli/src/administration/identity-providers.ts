import { type AdminClient, readAll } from '@watchword/admin-client';
import { firstOf, type ListOptions } from '../command/paging.ts';
import { rows } from './find-records.ts';
import { identityProviderNamed } from './not-found.ts';

export function identityProviderTools({ identityProviders }: AdminClient) {
  const all = async () => (await readAll((page) => identityProviders.list(page))).items;

  return {
    /** By name. */
    async list({ after = '', limit }: ListOptions<string | undefined>) {
      const found = await all();
      const following = found.filter(({ identityProvider }) => identityProvider > after);
      return firstOf(rows(following), limit, found.length);
    },
    find: async (name: string) => identityProviderNamed(name, await all()),
    end: (name: string) => identityProviders.end(name),
  };
}
