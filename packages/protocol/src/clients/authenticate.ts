import { type Client, isPublicClient } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { AttemptLimiter } from '../ports/attempt-limiter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Registry } from '../ports/registry.ts';
import { optionalParameter } from '../rules/parameters.ts';
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
export function authenticateClient(request: CredentialedRequest, deps: AuthenticationDependencies): Client {
  const credentials = presentedCredentials(request);
  return guarded(request.source, credentials, deps, matchClient, missing(request, missingFromClient));
}

/** The client that a request says to come from, whether it does or not. */
export function claimedClient(
  request: CredentialedRequest,
  { registry }: Pick<AuthenticationDependencies, 'registry'>,
): Client | undefined {
  const { authorization, parameters } = request;
  const id = parseBasicCredentials(authorization ?? '')?.id ?? parameters.get('client_id');
  return id === undefined ? undefined : registry.clientByClientId(id);
}

/**
 * Which resource server calls: HTTP Basic with its `key:secret`, and nothing else.
 *
 * @throws OAuthError `invalid_client`, `too_many_requests`
 */
export function authenticateResourceServer(
  request: Pick<CredentialedRequest, 'authorization' | 'source'>,
  deps: AuthenticationDependencies,
): ResourceServer {
  const credentials = parseBasicCredentials(request.authorization ?? '');
  const absent = request.authorization === undefined ? missingFromResourceServer : undefined;
  return guarded(request.source, credentials, deps, matchResourceServer, absent);
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
  deps: AuthenticationDependencies,
): IntrospectionCaller {
  const match: Match<IntrospectionCaller> = (credentials) => {
    if (credentials.secret === undefined) return undefined;
    const resourceServer = matchResourceServer(credentials, deps);
    const client = matchClient(credentials, deps);
    if (resourceServer !== undefined) return { resourceServer };
    return client && { client };
  };
  const credentials = presentedCredentials(request);
  return guarded(request.source, credentials, deps, match, missing(request, missingFromIntrospection));
}

const missingFromClient =
  'The request has no client credentials; send clientId and secret by HTTP Basic, or as client_id and client_secret in the body. A public client sends its client_id alone.';
const missingFromResourceServer =
  'The request has no credentials; send key and secret of the resource server by HTTP Basic.';
const missingFromIntrospection =
  'The request has no credentials; send key and secret of a resource server, or clientId and secret of a client, by HTTP Basic.';

/** What to say of a request that names nobody at all; of any other the answer tells no more than that it failed. */
function missing({ authorization, parameters }: CredentialedRequest, description: string) {
  const names = ['client_id', 'client_secret'];
  const isSilent = authorization === undefined && names.every((name) => !optionalParameter(parameters, name));
  return isSilent ? description : undefined;
}

type Match<Caller> = (
  credentials: PresentedCredentials,
  deps: AuthenticationDependencies,
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
  deps: AuthenticationDependencies,
  match: Match<Caller>,
  description: string | undefined,
): Caller {
  const { attempts } = deps;
  const identifier = credentials?.id ?? '';
  const blockedFor = attempts.secondsUntilAllowed(source, identifier);
  if (blockedFor > 0) throw new OAuthError('too_many_requests', { retryAfter: blockedFor });
  const caller = credentials && match(credentials, deps);
  if (caller !== undefined) return caller;
  const retryAfter = attempts.recordFailure(source, identifier);
  throw retryAfter > 0
    ? new OAuthError('too_many_requests', { retryAfter })
    : new OAuthError('invalid_client', description === undefined ? {} : { description });
}
