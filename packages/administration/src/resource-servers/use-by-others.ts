import { type Client, OAuthError, type ResourceServer, resourceServerTexts } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { ownResourceServer, owns } from '../callers/ownership.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { asClientOfOthers, type ClientOfOthers, removeEntry } from '../clients/clients-of-others.ts';
import { openScopesFor } from '../clients/other-resource-servers.ts';
import { type Page, type PageRequest, readPage, searchFor } from '../lists/page.ts';

/** Which resource servers are open to clients of others, and which clients use them. */
export interface UseByOthers {
  /** Those of other owners that are open to the clients of the caller; an administrator gets those that are open to administrators too. */
  listOpen(
    caller: Caller,
    filter: { readonly q?: string | undefined },
    page: PageRequest<number>,
  ): Promise<Page<ResourceServer, number>>;
  /** The clients of other resource servers that can use one of the caller. @throws OAuthError `not_found` */
  listClients(caller: Caller, id: number, page: PageRequest<number>): Promise<Page<ClientOfOthers, number>>;
  /** Their number. */
  countClients(id: number): Promise<number>;
  /** Takes the resource server away from a client of another one. @throws OAuthError `not_found` */
  removeClient(caller: Caller, id: number, clientRecordId: number): Promise<void>;
}

export function useByOthers(deps: AdministrationDependencies): UseByOthers {
  const { clients, resourceServers } = deps;
  return {
    listOpen(caller, { q }, page) {
      const { mayContain, matches } = searchFor(q);
      const isOpen = (server: ResourceServer) =>
        openScopesFor(server, { trusted: caller.isAdministrator }) !== undefined &&
        (caller.isAdministrator || !owns(caller, server));
      return readPage(page, {
        fetch: (after, limit) =>
          resourceServers.list({ mayContain, ...(after !== undefined && { after }), limit }),
        positionOf: ({ id }) => id,
        pick: (server) => (isOpen(server) && matches(...resourceServerTexts(server)) ? server : undefined),
      });
    },

    async listClients(caller, id, page) {
      await ownResourceServer(caller, id, deps);
      return readPage(page, {
        fetch: (after, limit) =>
          clients.list({ otherResourceServerId: id, ...(after !== undefined && { after }), limit }),
        positionOf: (client: Client) => client.id,
        pick: (client) => asClientOfOthers(client, id, deps),
      });
    },

    countClients: (id) => clients.count({ otherResourceServerId: id }),

    removeClient: (caller, id, clientRecordId) =>
      changeRecords(caller, deps, async (stores) => {
        await ownResourceServer(caller, id, stores);
        const client = await stores.clients.findById(clientRecordId);
        const of = client && (await asClientOfOthers(client, id, stores));
        if (of === undefined) {
          throw new OAuthError('not_found', {
            description: 'There is no such client of another resource server that can use this one.',
          });
        }
        return { value: undefined, changes: [await removeEntry(of, stores)] };
      }),
  };
}
