import type {
  Client,
  ClientStore,
  NewClient,
  NewResourceServer,
  ResourceServer,
  ResourceServerStore,
} from '@watchword/protocol';
import { newClient } from './builders/client.ts';
import { newResourceServer } from './builders/resource-server.ts';

/** Registers a resource server; its name is its key. */
export async function addResourceServer(
  store: { readonly resourceServers: ResourceServerStore },
  key = 'api',
  overrides: Partial<NewResourceServer> = {},
): Promise<ResourceServer> {
  const created = await store.resourceServers.create(newResourceServer({ name: key, ...overrides }), [key]);
  if (created === undefined) throw new Error(`the resource server ${key} was not created`);
  return created;
}

/** Registers a client with exactly that clientId. */
export async function addClient(
  store: { readonly clients: ClientStore },
  clientId: string,
  resourceServer: ResourceServer,
  overrides: Partial<NewClient> = {},
): Promise<Client> {
  const created = await store.clients.create(
    newClient({ resourceServerId: resourceServer.id, ...overrides }),
    [clientId],
  );
  if (created === undefined) throw new Error(`the client ${clientId} was not created`);
  return created;
}
