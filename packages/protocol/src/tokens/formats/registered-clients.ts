import type { Client } from '../../model/records/client.ts';
import type { Registry } from '../../ports/stores/registry.ts';

type Found = Client | undefined | Promise<Client | undefined>;

/** Finds the clients of tokens. */
export interface RegisteredClients {
  findById(id: number): Found;
  findByClientId(clientId: string): Found;
}

/** In memory; a client that is missing there can have been registered by another node a moment ago. */
export function clientsInMemory(
  registry: Pick<Registry, 'clientById' | 'clientByClientId' | 'refresh'>,
): RegisteredClients {
  const orOfOtherNode = (read: () => Client | undefined): Found =>
    read() ?? registry.refresh().then(() => read());
  return {
    findById: (id) => orOfOtherNode(() => registry.clientById(id)),
    findByClientId: (clientId) => orOfOtherNode(() => registry.clientByClientId(clientId)),
  };
}
