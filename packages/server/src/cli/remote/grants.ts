import { type AdminClient, readAll } from '@watchword/admin-client';
import type { GrantTools, SelectedGrants } from '../administration.ts';
import { countedGrants, mostCountedGrants } from '../records.ts';
import { listed, type RecordFinder } from './find-records.ts';

export function remoteGrants({ grants }: AdminClient, find: RecordFinder): GrantTools {
  const filterOf = (selection: SelectedGrants) => grantFilter(find, selection);

  return {
    async list({ limit, resourceOwner, ...selection }) {
      const filter = { ...(await filterOf(selection)), resourceOwnerId: resourceOwner };
      return listed(await readAll((page) => grants.list({ ...page, ...filter }), limit));
    },
    find: (id) => grants.get(id),
    end: (id) => grants.end(id),
    async count(selection) {
      const filter = await filterOf(selection);
      const { items } = await readAll((page) => grants.list({ ...page, ...filter }), mostCountedGrants + 1);
      return countedGrants(items);
    },
    endAll: async (selection) => grants.endAll(await filterOf(selection)),
  };
}

/** @throws OAuthError `not_found` */
export async function grantFilter(
  find: RecordFinder,
  { subject, client, resourceServer, since }: SelectedGrants,
) {
  return {
    subject,
    since,
    clientId: client === undefined ? undefined : (await find.client(client)).clientId,
    resourceServerId:
      resourceServer === undefined ? undefined : (await find.resourceServer(resourceServer)).id,
  };
}
