import type { Registry } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/** The exact number of records that a caller sees. */
export interface Totals {
  resourceServers(caller: Caller): number | Promise<number>;
  clients(caller: Caller): number | Promise<number>;
  /** Of one resource server, which must be one of the caller. */
  clientsOf(resourceServerId: number): number | Promise<number>;
}

/** From the records in memory. */
export function totalsOf(registry: Pick<Registry, 'countClients' | 'countResourceServers'>): Totals {
  return {
    resourceServers: ({ isAdministrator, identity }) =>
      registry.countResourceServers(isAdministrator ? undefined : identity),
    clients: ({ isAdministrator, identity }) =>
      registry.countClients(isAdministrator ? undefined : { owner: identity }),
    clientsOf: (resourceServerId) => registry.countClients({ resourceServerId }),
  };
}
