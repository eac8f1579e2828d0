import {
  type Client,
  type ClientStore,
  hasOwnSubjects,
  lacksJwtLifetime,
  longestJwtLifetime,
  OAuthError,
  type ResourceServer,
} from '@watchword/protocol';
import { everyRecord } from '../lists/page.ts';

/**
 * A resource server can have JWTs only when each of its clients can get them.
 *
 * @throws OAuthError `conflict` with every client that stands in the way
 */
export async function checkJwtClients(
  { id, accessTokenFormat }: Pick<ResourceServer, 'id' | 'accessTokenFormat'>,
  clients: Pick<ClientStore, 'list'>,
): Promise<void> {
  if (accessTokenFormat !== 'jwt') return;
  const found: string[] = [];
  for (const selection of [{ resourceServerId: id }, { otherResourceServerId: id }]) {
    for await (const client of everyRecord((page) => clients.list({ ...selection, ...page }))) {
      found.push(...obstacles(client));
    }
  }
  if (found.length === 0) return;
  throw new OAuthError('conflict', {
    description: 'Clients of the resource server cannot get JWTs; violations lists them.',
    violations: found,
  });
}

function obstacles(client: Client): string[] {
  const named = `accessTokenFormat: the client ${client.clientId}`;
  const found: string[] = [];
  if (lacksJwtLifetime(client)) {
    found.push(
      `${named} has the expireDuration ${client.expireDuration}; set it to 1 to ${longestJwtLifetime} first`,
    );
  }
  if (hasOwnSubjects(client)) {
    found.push(
      `${named} has pairwise subjects, and could read the public sub of its users in a JWT; set its subjectType to public first`,
    );
  }
  return found;
}
