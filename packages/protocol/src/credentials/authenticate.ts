import { OAuthError } from '../errors.ts';
import { type Client, isPublicClient } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { AttemptLimiter } from '../ports/attempt-limiter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Registry } from '../ports/registry.ts';
import { parseBasicCredentials } from './basic-credentials.ts';
import { secretMatches } from './machine-secret.ts';
import {
  type CredentialedRequest,
  type PresentedCredentials,
  presentedCredentials,
} from './presented-credentials.ts';

export interface AuthenticationDependencies {
  readonly registry: Registry;
  readonly attempts: AttemptLimiter;
  readonly clock: Clock;
}

/**
 * Who calls an endpoint for clients (RFC 6749 §2.3, §3.2.1). An unknown client and a wrong secret cannot be
 * told apart, neither by the answer nor by the time it takes.
 *
 * @throws OAuthError `invalid_client`, `invalid_request`, `too_many_requests`
 */
export function authenticateClient(request: CredentialedRequest, world: AuthenticationDependencies): Client {
  return guarded(request.source, presentedCredentials(request), world, matchClient);
}

/**
 * Which resource server calls: HTTP Basic with its `key:secret`, and nothing else.
 *
 * @throws OAuthError `invalid_client`, `too_many_requests`
 */
export function authenticateResourceServer(
  request: Pick<CredentialedRequest, 'authorization' | 'source'>,
  world: AuthenticationDependencies,
): ResourceServer {
  const credentials = parseBasicCredentials(request.authorization ?? '');
  return guarded(request.source, credentials, world, matchResourceServer);
}

/** A caller of the introspection endpoint (RFC 7662 §2.1). */
export type IntrospectionCaller =
  | { readonly resourceServer: ResourceServer; readonly client?: undefined }
  | { readonly client: Client; readonly resourceServer?: undefined };

/**
 * Who introspects: a resource server, or a confidential client. Public clients may not: anyone can claim
 * to be one, and RFC 7662 §2.1 asks for authorization so that tokens cannot be scanned for.
 *
 * @throws OAuthError `invalid_client`, `invalid_request`, `too_many_requests`
 */
export function authenticateIntrospectionCaller(
  request: CredentialedRequest,
  world: AuthenticationDependencies,
): IntrospectionCaller {
  return guarded(request.source, presentedCredentials(request), world, (credentials) => {
    if (credentials.secret === undefined) return undefined;
    const resourceServer = matchResourceServer(credentials, world);
    const client = matchClient(credentials, world);
    if (resourceServer !== undefined) return { resourceServer };
    return client && { client };
  });
}

type Match<Caller> = (
  credentials: PresentedCredentials,
  world: AuthenticationDependencies,
) => Caller | undefined;

const matchResourceServer: Match<ResourceServer> = ({ id, secret = '' }, { registry, clock }) => {
  const resourceServer = registry.resourceServerByKey(id);
  return secretMatches(resourceServer?.secret, secret, clock.now()) ? resourceServer : undefined;
};

const matchClient: Match<Client> = ({ id, secret }, { registry, clock }) => {
  const client = registry.clientByClientId(id);
  if (secret !== undefined) return secretMatches(client?.secret, secret, clock.now()) ? client : undefined;
  return client !== undefined && isPublicClient(client) ? client : undefined;
};

// Absent and malformed credentials count as failures too, so that nobody can flood by leaving them out. Those
// that contradict each other are refused before and try no secret.
function guarded<Caller>(
  source: string,
  credentials: PresentedCredentials | undefined,
  world: AuthenticationDependencies,
  match: Match<Caller>,
): Caller {
  const { attempts } = world;
  const identifier = credentials?.id ?? '';
  const blockedFor = attempts.secondsUntilAllowed(source, identifier);
  if (blockedFor > 0) throw new OAuthError('too_many_requests', { retryAfter: blockedFor });
  const caller = credentials && match(credentials, world);
  if (caller !== undefined) return caller;
  const retryAfter = attempts.recordFailure(source, identifier);
  throw retryAfter > 0
    ? new OAuthError('too_many_requests', { retryAfter })
    : new OAuthError('invalid_client');
}
