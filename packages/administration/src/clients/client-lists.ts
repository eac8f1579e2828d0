import { type Client, type ClientQuery, clientTexts } from '@watchword/protocol';
import { ownClient, ownResourceServer } from '../callers/ownership.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { type Page, type PageRequest, readPage, searchFor } from '../lists/page.ts';
import type { ClientAdministration, ClientFilter } from './client-administration.ts';

/** Reads clients. */
export function clientLists(
  deps: Pick<AdministrationDependencies, 'clients' | 'resourceServers'>,
): Pick<ClientAdministration, 'listAll' | 'list' | 'find'> {
  const search = (
    among: Pick<ClientQuery, 'resourceServerId' | 'owner'>,
    { q }: ClientFilter,
    page: PageRequest<number>,
  ): Promise<Page<Client, number>> => {
    const { mayContain, matches } = searchFor(q);
    return readPage(page, {
      fetch: (after, limit) =>
        deps.clients.list({
          ...among,
          mayContain,
          ...(after !== undefined && { after }),
          limit,
        }),
      positionOf: ({ id }) => id,
      pick: (client) => (matches(...clientTexts(client)) ? client : undefined),
    });
  };

  return {
    listAll: (caller, filter, page) =>
      search(caller.isAdministrator ? {} : { owner: caller.identity }, filter, page),

    async list(caller, resourceServerId, filter, page) {
      await ownResourceServer(caller, resourceServerId, deps);
      return search({ resourceServerId }, filter, page);
    },

    find: async (caller, address) => (await ownClient(caller, address, deps)).client,
  };
}
