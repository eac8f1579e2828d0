import { type GrantFilter, type GrantPosition, grantRecord, type PageRequest } from '@watchword/protocol';
import type { GrantTools, SelectedGrants } from '../administration.ts';
import { countedGrants, mostCountedGrants } from '../records.ts';
import { listedPages, readPages } from './read-pages.ts';
import { existingClient, existingResourceServer, type LocalRecords } from './records.ts';

export function localGrants({ store, caller, grants }: LocalRecords): GrantTools {
  const filterOf = (selection: SelectedGrants) => grantFilter(store, selection);

  const listOf = (filter: GrantFilter) => (page: PageRequest<GrantPosition>) =>
    grants.list(caller, filter, page);

  return {
    async list({ limit, resourceOwner, ...selection }) {
      const filter = { ...(await filterOf(selection)), resourceOwnerId: resourceOwner };
      return listedPages(listOf(filter), limit, grantRecord);
    },
    find: async (id) => grantRecord(await grants.find(caller, id)),
    async end(id) {
      await grants.end(caller, id);
    },
    async count(selection) {
      const { items } = await readPages(listOf(await filterOf(selection)), mostCountedGrants + 1);
      return countedGrants(items.map(grantRecord));
    },
    endAll: async (selection) => grants.endAll(caller, await filterOf(selection)),
  };
}

/** @throws OAuthError `not_found` */
export async function grantFilter(
  store: LocalRecords['store'],
  { subject, client, resourceServer, since }: SelectedGrants,
) {
  return {
    subject,
    since,
    clientId: client === undefined ? undefined : (await existingClient(store, client)).clientId,
    resourceServerId:
      resourceServer === undefined ? undefined : (await existingResourceServer(store, resourceServer)).id,
  };
}
