import { isHomeOfOpenClients, openClientsKey, type Registry, type ResourceServer } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/** The exact number of records that a caller sees. */
export interface Totals {
  resourceServers(caller: Caller): number | Promise<number>;
  clients(caller: Caller): number | Promise<number>;
  /** Of one resource server, which must be one of the caller. */
  clientsOf(resourceServerId: number): number | Promise<number>;
}

/** From the records in memory. */
export function totalsOf(
  registry: Pick<Registry, 'countClients' | 'countResourceServers' | 'resourceServerByKey'>,
): Totals {
  return {
    resourceServers: ({ isAdministrator, identity }) =>
      isAdministrator
        ? registry.countResourceServers() - unlisted(registry.resourceServerByKey(openClientsKey))
        : registry.countResourceServers(identity),
    clients: ({ isAdministrator, identity }) =>
      registry.countClients(isAdministrator ? undefined : { owner: identity }),
    clientsOf: (resourceServerId) => registry.countClients({ resourceServerId }),
  };
}

/** The number of resource servers that no list has. @param home the record with the key of the home of open clients */
export function unlisted(home: ResourceServer | undefined): number {
  return home !== undefined && isHomeOfOpenClients(home) ? 1 : 0;
}
