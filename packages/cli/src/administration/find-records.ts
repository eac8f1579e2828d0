import {
  type AdminClient,
  type Client,
  type ReadList,
  type ResourceServer,
  readAll,
} from '@watchword/admin-client';
import type { Identity } from '@watchword/protocol';
import type { ListedRows, Row } from '../command/output.ts';
import { noClient, noResourceServer } from './not-found.ts';

// Maximum number of clients whose tokens are counted before a deletion.
const mostCounted = 2000;

/** Finds records of a server by the names that administrators use. */
export function recordFinder(admin: AdminClient) {
  async function resourceServer(key: string): Promise<ResourceServer> {
    const { items } = await readAll((page) => admin.resourceServers.list({ ...page, q: key }));
    const found = items.find((candidate) => candidate.key === key);
    if (found === undefined) throw noResourceServer(key);
    return found;
  }

  /** Of one of the caller, or of one that is open to its clients. */
  async function resourceServerId(key: string): Promise<number> {
    const own = await readAll((page) => admin.resourceServers.list({ ...page, q: key }));
    const isMeant = (candidate: { readonly key: string }) => candidate.key === key;
    const found =
      own.items.find(isMeant) ??
      (await readAll((page) => admin.resourceServers.listOpen({ ...page, q: key }))).items.find(isMeant);
    if (found === undefined) throw noResourceServer(key);
    return found.id;
  }

  async function client(clientId: string): Promise<Client> {
    const { items } = await readAll((page) => admin.clients.listAll({ ...page, q: clientId }));
    const found = items.find((candidate) => candidate.clientId === clientId);
    if (found === undefined) throw noClient(clientId);
    return found;
  }

  return {
    resourceServer,
    resourceServerId,
    client,
    resourceServers: async () => (await readAll((page) => admin.resourceServers.list(page))).items,
    clientsOf: async ({ id }: ResourceServer) =>
      (await readAll((page) => admin.clients.list(id, page))).items,
    async addressOf(clientId: string) {
      const { id, resourceserver_id } = await client(clientId);
      return { id, resourceServerId: resourceserver_id };
    },
    /** Clients with the numbers of their active tokens. */
    countedClients: () =>
      readAll(async ({ cursor }) => {
        const { clients, countLimit, next } = await admin.statistics({ cursor, limit: 100, hours: 1 });
        return {
          items: clients.map((counted) => ({ ...counted, isLeast: counted.tokens >= countLimit })),
          next,
        };
      }, mostCounted),
  };
}

export type RecordFinder = ReturnType<typeof recordFinder>;

export function personOf(person: Identity | undefined) {
  return { resourceOwnerId: person?.name, identityProvider: person?.identityProvider };
}

/** What was read of a list. */
export function listed({ items, isComplete, total }: ReadList<object>): ListedRows {
  return { rows: rows(items), hasMore: !isComplete, total };
}

export function rows(records: readonly object[]): Row[] {
  return records.map((record) => ({ ...record }));
}
