import {
  because,
  type Client,
  type ClientStore,
  isAdministration,
  isSameIdentity,
  OAuthError,
  type ResourceServer,
  type ResourceServerStore,
} from '@watchword/protocol';
import type { Caller } from './caller.ts';

interface Records {
  readonly resourceServers: Pick<ResourceServerStore, 'findById'>;
  readonly clients: Pick<ClientStore, 'findById'>;
}

/** Administrators own every record, clients with a right all but those of the administration itself. Other callers own the records that they created. */
export function owns(caller: Caller, resourceServer: ResourceServer): boolean {
  const { owner, ownerAuthority } = resourceServer;
  if (caller.isAdministrator) return !isOffLimits(caller, resourceServer);
  return isSameIdentity(caller.identity, { identityProvider: ownerAuthority, name: owner });
}

/** A client that could change a client of the administration, its secret or its redirect URI, would have every right. */
function isOffLimits({ right }: Caller, resourceServer: ResourceServer): boolean {
  return right === 'records:all:write' && isAdministration(resourceServer);
}

/** @throws OAuthError `not_found` also for a resource server of another owner */
export async function ownResourceServer(
  caller: Caller,
  id: number,
  { resourceServers }: Pick<Records, 'resourceServers'>,
): Promise<ResourceServer> {
  const found = await resourceServers.findById(id);
  if (found !== undefined && owns(caller, found)) return found;
  if (found !== undefined && isOffLimits(caller, found)) {
    const what = 'change the administration interface or its clients';
    throw new OAuthError('access_denied', because('never_by_machine', { what }));
  }
  throw new OAuthError('not_found', { description: 'There is no such resource server.' });
}

/** @throws OAuthError `not_found` also for a client of another owner or of another resource server */
export async function ownClient(
  caller: Caller,
  { resourceServerId, id }: ClientAddress,
  records: Records,
): Promise<{ resourceServer: ResourceServer; client: Client }> {
  const resourceServer = await ownResourceServer(caller, resourceServerId, records);
  const client = await records.clients.findById(id);
  if (client !== undefined && client.resourceServerId === resourceServerId) return { resourceServer, client };
  throw new OAuthError('not_found', { description: 'There is no such client.' });
}

/** A client by its record id, below its resource server. */
export interface ClientAddress {
  readonly resourceServerId: number;
  readonly id: number;
}
