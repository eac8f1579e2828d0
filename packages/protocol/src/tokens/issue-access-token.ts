import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { AccessToken, Confirmation } from '../model/records/access-token.ts';
import { type Client, creationDateFor } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { AccessTokenStore } from '../ports/stores/grants/access-token-store.ts';
import type { Registry } from '../ports/stores/registry.ts';
import type { Clock } from '../ports/system/clock.ts';
import { type TargetServer, targetServers } from '../rules/target-servers.ts';
import type { AccessTokenContent, AccessTokenFormat, WrittenToken } from './formats/access-token-format.ts';
import type { AccessTokenFormats } from './formats/formats.ts';

/** An access token, and the text that is handed out once. */
export interface NewAccessToken {
  readonly accessToken: AccessToken;
  readonly accessTokenValue: string;
}

/** What an access token is to be issued for. */
export interface IssueRequest extends Pick<AccessTokenContent, 'client' | 'scopes'> {
  /** What the token is bound to. Not optional, so that nothing issues a bearer token because it has forgotten the key. */
  readonly confirmation: Confirmation | undefined;
  /** Absent for a client-credentials token. */
  readonly grant?: AccessTokenContent['grant'] | undefined;
  /** Seconds; 0 = does not expire. Absent: the lifetime of the client's registration. */
  readonly lifetime?: number;
  /** Epoch milliseconds; 0 = does not expire. In place of a lifetime. */
  readonly expires?: number;
}

/** Issues a client-credentials token; resolves once it is durable. */
export type AccessTokenIssuer = (
  request: Pick<IssueRequest, 'client' | 'scopes' | 'confirmation'>,
) => Promise<NewAccessToken>;

export interface TokenMakingDependencies {
  readonly accessTokenFormats: AccessTokenFormats;
  readonly clock: Clock;
  readonly registry: Registry;
}

export interface IssuerDependencies extends TokenMakingDependencies {
  readonly accessTokens: AccessTokenStore;
}

export function accessTokenIssuer({ accessTokens, ...deps }: IssuerDependencies): AccessTokenIssuer {
  return async (request) => {
    const made = newAccessToken(request, deps);
    const issued = made instanceof Promise ? await made : made;
    await accessTokens.insert(issued.accessToken);
    return issued;
  };
}

/** Makes an access token in the format of its resource servers, and stores nothing. */
export function newAccessToken(
  request: IssueRequest,
  deps: TokenMakingDependencies,
): NewAccessToken | Promise<NewAccessToken> {
  const home = homeOf(request.client, deps.registry);
  return makeAccessToken(request, targetServers(request.scopes, home, deps.registry), deps);
}

/**
 * The same, where the resource servers are known. A lifetime that the format does not have becomes its longest one.
 *
 * @throws RedirectableError `invalid_target` if a JWT cannot say for which of them a scope is
 */
export function makeAccessToken(
  request: IssueRequest,
  targets: readonly TargetServer[],
  { accessTokenFormats, clock }: Omit<TokenMakingDependencies, 'registry'>,
): NewAccessToken | Promise<NewAccessToken> {
  const { client, scopes, grant, confirmation, lifetime = client.expireDuration, expires } = request;
  const format = accessTokenFormats.of(targets, client);
  const { timeUnit } = format;
  const creationDate = creationDateFor(client, clock.now(), timeUnit);
  const content: AccessTokenContent = {
    client,
    targets,
    grant,
    scopes,
    expires:
      expires === undefined
        ? expiryAfter(boundedLifetime(lifetime, format), creationDate)
        : Math.floor(expires / timeUnit) * timeUnit,
    creationDate,
    confirmation,
  };
  const written = format.write(content);
  return written instanceof Promise
    ? written.then((value) => newToken(content, value))
    : newToken(content, written);
}

/**
 * @param lifetime seconds; 0 = does not expire
 * @param from epoch milliseconds
 */
export function expiryAfter(lifetime: number, from: number): number {
  return lifetime === 0 ? 0 : from + lifetime * 1000;
}

/**
 * A registration has only lifetimes that the format has. This node can know the new format of a resource server before the new lifetime
 * of its client.
 */
function boundedLifetime(
  lifetime: number,
  { longestLifetime }: Pick<AccessTokenFormat, 'longestLifetime'>,
): number {
  if (longestLifetime === 0) return lifetime;
  return lifetime === 0 ? longestLifetime : Math.min(lifetime, longestLifetime);
}

/** The resource server of the client. @throws OAuthError `invalid_client` if it was deleted */
export function homeOf({ clientId, resourceServerId }: Client, registry: Registry): ResourceServer {
  const resourceServer = registry.resourceServerById(resourceServerId);
  if (resourceServer !== undefined) return resourceServer;
  throw new OAuthError('invalid_client', because('unchanged_registration', { clientId }));
}

function newToken(
  { client, grant, scopes, expires, creationDate, confirmation }: AccessTokenContent,
  { id, verifierHash, value }: WrittenToken,
): NewAccessToken {
  const accessToken = {
    id,
    verifierHash,
    clientRecordId: client.id,
    grantId: grant?.id,
    scopes,
    expires,
    creationDate,
  };
  const bound = confirmation === undefined ? accessToken : { ...accessToken, confirmation };
  return { accessToken: bound, accessTokenValue: value };
}
