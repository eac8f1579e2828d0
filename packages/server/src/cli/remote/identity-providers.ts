import { type AdminClient, readAll } from '@watchword/admin-client';
import type { IdentityProviderTools } from '../administration.ts';
import { identityProviderNamed } from '../not-found.ts';
import { rows } from './find-records.ts';

export function remoteIdentityProviders({ identityProviders }: AdminClient): IdentityProviderTools {
  const all = async () => (await readAll((page) => identityProviders.list(page))).items;

  return {
    list: async ({ after = '', limit }) =>
      rows((await all()).filter(({ identityProvider }) => identityProvider > after).slice(0, limit)),
    find: async (name) => identityProviderNamed(name, await all()),
    end: (name) => identityProviders.end(name),
  };
}
