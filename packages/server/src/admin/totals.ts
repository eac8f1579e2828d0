import type { Caller, Registry } from '@watchword/protocol';

/** How many records there are for a caller: exact, from those in memory. */
export interface Totals {
  resourceServers(caller: Caller): number;
  clients(caller: Caller): number;
  /** Of one resource server, which has to be the caller's. */
  clientsOf(resourceServerId: number): number;
}

export function totalsOf(registry: Pick<Registry, 'countClients' | 'countResourceServers'>): Totals {
  return {
    resourceServers: ({ isAdministrator, identity }) =>
      registry.countResourceServers(isAdministrator ? undefined : identity),
    clients: ({ isAdministrator, identity }) =>
      registry.countClients(isAdministrator ? undefined : { owner: identity }),
    clientsOf: (resourceServerId) => registry.countClients({ resourceServerId }),
  };
}
