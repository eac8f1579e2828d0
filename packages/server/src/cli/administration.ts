import { userInfo } from 'node:os';
import {
  type AccessTokenAdministration,
  accessTokenAdministration,
  type Caller,
  type Client,
  type ClientAddress,
  type ClientAdministration,
  clientAdministration,
  commandLineCaller,
  OAuthError,
  type ResourceServer,
  type ResourceServerAdministration,
  resourceServerAdministration,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { systemClock, systemRandom } from '../system.ts';

/** The administration as whoever sits at the command line has it: of everything, under the same rules. */
export interface ToolAdministration {
  readonly caller: Caller;
  readonly resourceServers: ResourceServerAdministration;
  readonly clients: ClientAdministration;
  readonly accessTokens: AccessTokenAdministration;
}

export function toolAdministration(store: Store): ToolAdministration {
  const world = {
    ...store,
    clock: systemClock,
    random: systemRandom,
    parties: store,
    instruments: { tokenIssued: () => {} },
  };
  return {
    caller: commandLineCaller(userInfo().username),
    resourceServers: resourceServerAdministration(world),
    clients: clientAdministration(world),
    accessTokens: accessTokenAdministration(world),
  };
}

/** @throws OAuthError `not_found` */
export async function existingResourceServer(store: Store, key: string): Promise<ResourceServer> {
  const found = await store.resourceServers.find(key);
  if (found !== undefined) return found;
  throw new OAuthError('not_found', {
    description: `There is no resource server with this key; "watchword resource-server list" names them.`,
  });
}

/** @throws OAuthError `not_found` */
export async function existingClient(store: Store, clientId: string): Promise<Client> {
  const found = await store.clients.find(clientId);
  if (found !== undefined) return found;
  throw new OAuthError('not_found', {
    description: 'There is no client with this clientId; "watchword client list" names them.',
  });
}

export function addressOf({ id, resourceServerId }: Client): ClientAddress {
  return { id, resourceServerId };
}
