import {
  type GrantFilter,
  type GrantPosition,
  grantRecord,
  type ListedGrant,
  type PageRequest,
} from '@watchword/protocol';
import type { GrantTools, SelectedGrants } from '../administration.ts';
import { countedGrants, mostCountedGrants } from '../records.ts';
import { readPages } from './read-pages.ts';
import { existingClient, existingResourceServer, type LocalRecords } from './records.ts';

export function localGrants({ store, caller, grants }: LocalRecords): GrantTools {
  const filterOf = async ({ subject, client, resourceServer }: SelectedGrants): Promise<GrantFilter> => ({
    subject,
    clientId: client === undefined ? undefined : (await existingClient(store, client)).clientId,
    resourceServerId:
      resourceServer === undefined ? undefined : (await existingResourceServer(store, resourceServer)).id,
  });

  const read = (filter: GrantFilter, most: number): Promise<ListedGrant[]> =>
    readPages((page: PageRequest<GrantPosition>) => grants.list(caller, filter, page), most);

  return {
    async list({ limit, resourceOwner, ...selection }) {
      const filter = { ...(await filterOf(selection)), resourceOwnerId: resourceOwner };
      return (await read(filter, limit)).map(grantRecord);
    },
    find: async (id) => grantRecord(await grants.find(caller, id)),
    async end(id) {
      await grants.end(caller, id);
    },
    count: async (selection) =>
      countedGrants((await read(await filterOf(selection), mostCountedGrants + 1)).map(grantRecord)),
    endAll: async (selection) => grants.endAll(caller, await filterOf(selection)),
  };
}
