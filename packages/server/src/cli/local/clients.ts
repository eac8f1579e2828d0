import { answeredClient, type Client, type ClientAddress, type PageRequest } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { requestErrorRecord } from '../../admin/records/request-error.ts';
import type { ClientTools, ListOptions } from '../administration.ts';
import { firstOf } from '../paging.ts';
import { errorRow } from '../records.ts';
import { dependentsOfClient } from './dependents.ts';
import { listedPages, readFirst } from './read-pages.ts';
import { existingClient, existingResourceServer, type LocalRecords } from './records.ts';

export function localClients({ store, caller, clients, requestErrors }: LocalRecords): ClientTools {
  const idOf = async (key: string) => (await existingResourceServer(store, key)).id;
  const addressOf = async (clientId: string): Promise<ClientAddress> => {
    const { id, resourceServerId } = await existingClient(store, clientId);
    return { id, resourceServerId };
  };

  return {
    async list({ resourceServer: key, ...options }) {
      const filter = key === undefined ? {} : { resourceServerId: await idOf(key) };
      const list = (page: ListOptions<number>) => store.clients.list({ ...filter, ...page });
      const found = await readFirst(list, options, ({ id }) => id);
      return firstOf(await withKeys(store, found), options.limit, await store.clients.count(filter));
    },
    find: async (clientId) => answeredClient(await existingClient(store, clientId)),
    async create(key, fields, clientId) {
      const { client, secret } = await clients.create(
        caller,
        await idOf(key),
        { fields },
        { chosen: clientId },
      );
      return { client: answeredClient(client), secret };
    },
    async update(clientId, changed) {
      const { client } = await clients.update(caller, await addressOf(clientId), { apply: () => changed });
      return answeredClient(client);
    },
    confirm: async (clientId) => answeredClient(await clients.confirm(caller, await addressOf(clientId))),
    async errors(clientId, limit) {
      await existingClient(store, clientId);
      const list = (page: PageRequest<string>) => requestErrors.list(caller, { clientId }, page);
      return listedPages(list, limit, (error) => errorRow(requestErrorRecord(error)));
    },
    dependents: async (clientId) => dependentsOfClient(store, await existingClient(store, clientId)),
    delete: async (clientId) => clients.delete(caller, await addressOf(clientId)),
    async rotateSecret(clientId, overlap) {
      const { secret } = await clients.rotateSecret(caller, await addressOf(clientId), overlap);
      if (secret === undefined) throw new Error('a confidential client was created without a secret');
      return secret;
    },
    revokeTokens: async (clientId) => clients.revokeTokens(caller, await addressOf(clientId)),
  };
}

async function withKeys({ resourceServers }: Store, clients: readonly Client[]) {
  const keys = new Map<number, string | undefined>();
  for (const id of new Set(clients.map(({ resourceServerId }) => resourceServerId))) {
    keys.set(id, (await resourceServers.findById(id))?.key);
  }
  return clients.map((client) => ({
    ...answeredClient(client),
    resourceserver_key: keys.get(client.resourceServerId) ?? null,
  }));
}
