import { OAuthError } from '../model/errors.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import { longestJwtLifetime } from '../model/signing-key.ts';
import type { ClientStore } from '../ports/client-store.ts';
import { lacksJwtLifetime } from './client-rules.ts';

const pageSize = 1000;

/**
 * A resource server can get JWTs only when each of its clients has a lifetime that a JWT can have.
 *
 * @throws OAuthError `conflict` with every client that stands in the way
 */
export async function checkTokenFormat(
  before: Pick<ResourceServer, 'id' | 'accessTokenFormat'>,
  { accessTokenFormat }: Pick<ResourceServer, 'accessTokenFormat'>,
  clients: Pick<ClientStore, 'list'>,
): Promise<void> {
  if (accessTokenFormat === before.accessTokenFormat) return;
  const found: string[] = [];
  let after = 0;
  for (;;) {
    const page = await clients.list({ resourceServerId: before.id, after, limit: pageSize });
    for (const { clientId, ...client } of page) {
      if (lacksJwtLifetime(client, { accessTokenFormat })) {
        found.push(
          `accessTokenFormat: the client ${clientId} has the expireDuration ${client.expireDuration}; set it to 1 to ${longestJwtLifetime} first`,
        );
      }
    }
    after = page.at(-1)?.id ?? 0;
    if (page.length < pageSize) break;
  }
  if (found.length === 0) return;
  throw new OAuthError('conflict', {
    description: 'Clients of the resource server have no lifetime that JWTs can have; violations lists them.',
    violations: found,
  });
}
