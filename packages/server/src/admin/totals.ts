import type { Caller, Registry } from '@watchword/protocol';

/** The exact number of records that a caller sees, from the records in memory. */
export interface Totals {
  resourceServers(caller: Caller): number;
  clients(caller: Caller): number;
  /** Of one resource server, which must be one of the caller. */
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
