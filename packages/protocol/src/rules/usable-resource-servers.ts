import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { isHomeOfOpenClients } from './built-in-records.ts';
import { notStored } from './document-client.ts';

type Homed = Pick<Client, 'resourceServerId'>;
type Using = Pick<Client, 'resourceServerId' | 'scopes' | 'otherResourceServers'>;
type Servers = Pick<Registry, 'resourceServerById'>;

/** Whether the client belongs to no resource server: nobody has registered it. */
export function isWithoutHome({ resourceServerId }: Homed, registry: Servers): boolean {
  // Of a client that has no record yet, the home can have none either.
  if (resourceServerId === notStored) return true;
  const home = registry.resourceServerById(resourceServerId);
  return home !== undefined && isHomeOfOpenClients(home);
}

/** The scopes that the client can get at the resource server; `undefined` if it cannot use it. */
export function scopesAt(
  client: Using,
  resourceServer: ResourceServer,
  registry: Servers,
): Scopes | undefined {
  const { id, scopes, openToClients, openScopes } = resourceServer;
  if (client.resourceServerId === id) return client.scopes;
  const entry = client.otherResourceServers.find(({ resourceServerId }) => resourceServerId === id);
  const isOpen = openToClients === 'everyone' && isWithoutHome(client, registry);
  if (entry === undefined && !isOpen) return undefined;
  const allowed = new Set([...(entry?.scopes ?? []), ...(isOpen ? openScopes : [])]);
  // A node of the release before does not remove from clients what a resource server of another client loses.
  return scopes.filter((scope) => allowed.has(scope));
}
