import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import { longestJwtLifetime } from '../model/signing-key.ts';
import type { ClientStore } from '../ports/client-store.ts';
import type { Violations } from '../rules/registration.ts';
import { everyRecord } from './page.ts';

type JwtFields = Pick<Client, 'expireDuration' | 'subjectType'>;

function lacksLifetime({ expireDuration }: JwtFields): boolean {
  return expireDuration < 1 || expireDuration > longestJwtLifetime;
}

/** A client can read its tokens: a JWT would show it the subject that all other clients know (OpenID Connect Core §8, RFC 9068 §6). */
function hasOwnSubjects({ subjectType }: JwtFields): boolean {
  return subjectType === 'pairwise';
}

/** Finds what keeps the client from the access tokens of its resource server, if these are JWTs. */
export function checkJwtClient(
  registration: JwtFields,
  { accessTokenFormat }: Pick<ResourceServer, 'accessTokenFormat'>,
  violations: Violations,
): void {
  if (accessTokenFormat !== 'jwt') return;
  if (lacksLifetime(registration)) {
    violations.add(
      'expireDuration',
      `must be 1 to ${longestJwtLifetime}: the access tokens of the resource server are JWTs`,
    );
  }
  if (hasOwnSubjects(registration)) {
    violations.add(
      'subjectType',
      'must be public: the access tokens of the resource server are JWTs, in which the client could read the public sub of the user',
    );
  }
}

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
  for await (const client of everyRecord((page) => clients.list({ resourceServerId: id, ...page }))) {
    found.push(...obstacles(client));
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
  if (lacksLifetime(client)) {
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
