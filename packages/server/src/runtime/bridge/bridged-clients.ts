import type { Client, ClientStore, Registry, ResourceServer } from '@watchword/protocol';
import { LRUCache } from 'lru-cache';
import type { ForeignToken } from './foreign-token.ts';

interface Stores {
  readonly registry: Pick<Registry, 'clientByClientId' | 'clientById'>;
  readonly clients: Pick<ClientStore, 'list'>;
}

const maxClients = 1000;
// Milliseconds.
const keptFor = 10_000;

/**
 * Finds the client of a token among those of the caller: the token of another one is nothing to it. Which client has a name is read from the
 * database, and kept for some seconds.
 */
export function bridgedClients({ registry, clients }: Stores) {
  const named = new LRUCache<string, number>({ max: 1000, ttl: keptFor });
  const idOf = async (name: string, caller: ResourceServer) => {
    const key = `${caller.id} ${name}`;
    const known = named.get(key);
    if (known !== undefined) return known;
    const own = await clients.list({ resourceServerId: caller.id, limit: maxClients });
    const [first, ...others] = own.filter(({ clientName }) => clientName === name);
    // Of two clients of one name nobody knows which one it is.
    if (first === undefined || others.length > 0) return undefined;
    named.set(key, first.id);
    return first.id;
  };
  return async (
    { clientId, clientName }: ForeignToken,
    caller: ResourceServer,
  ): Promise<Client | undefined> => {
    const id = clientName === undefined ? undefined : await idOf(clientName, caller);
    const client = id === undefined ? registry.clientByClientId(clientId ?? '') : registry.clientById(id);
    const isNamed = clientName === undefined ? id === undefined : client?.clientName === clientName;
    return isNamed && client?.resourceServerId === caller.id ? client : undefined;
  };
}
