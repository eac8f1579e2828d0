import { authenticateResourceServer } from '../clients/authentication/authenticate-resource-server.ts';
import type { AuthenticationDependencies } from '../clients/authentication/guard.ts';
import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { needsConfirmation } from '../model/openid-scope.ts';
import type { Principal } from '../model/principal.ts';
import type { Confirmation } from '../model/records/access-token.ts';
import { accountIdentityProvider } from '../model/records/account.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { Scopes } from '../model/scope.ts';
import { defaultClaims } from '../openid/default-claims.ts';
import { isConfirmed, scopeOfClaim } from '../openid/scopes.ts';
import type { BridgedLookup } from '../ports/system/token-bridge.ts';
import { targetServers } from '../rules/target-servers.ts';
import {
  type FoundAccessToken,
  findAccessToken,
  scopesFor,
  type TokenLookupDependencies,
} from '../tokens/find-access-token.ts';
import { namedAudience } from '../tokens/token-audience.ts';
import { type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

/** The data of a token for a resource server. */
export interface TokenInfo {
  /** The client's `clientName`. */
  readonly audience: string;
  readonly scopes: Scopes;
  readonly principal: Principal;
  /** Absolute expiry in epoch milliseconds; 0 = the token does not expire. */
  readonly expires_in: number;
  /** The URIs of the caller that the token names (RFC 8707 §2), if the caller has any. */
  readonly aud?: readonly string[];
  /** Only of a token that is bound to a key (RFC 7800 §3.1, RFC 8705 §3.2): the caller must check the proof of possession. */
  readonly cnf?: Confirmation;
  /**
   * Epoch seconds; `null`: the client acts for itself, and nobody has logged in. This member and the next: RFC 9470 §6, for a resource server
   * that asks for them (`loginDetails`).
   */
  readonly auth_time?: number | null;
  readonly acr?: string;
}

/** @param readToken reads the presented token, after the caller is authenticated; throws `invalid_request` */
export type TokenInfoEndpoint = (request: RequestHead, readToken: () => string) => Promise<TokenInfo>;

/**
 * Returns the data of a token to a resource server, if the token is for it, and nothing of what the token is for others. An unknown, revoked or
 * malformed token and one that is for others alone are the same `token_not_found`.
 *
 * @throws OAuthError `invalid_client`, `invalid_request`, `token_not_found`, `token_expired`
 */
export function tokenInfoEndpoint(
  deps: AuthenticationDependencies & TokenLookupDependencies & RequestErrorReporting & BridgedLookup,
): TokenInfoEndpoint {
  return async (request, readToken) => {
    const authenticated = authenticateResourceServer(request, deps);
    const caller = authenticated instanceof Promise ? await authenticated : authenticated;
    const value = readToken();
    const found = await findAccessToken(value, deps);
    if (found === undefined) return bridgedInfo(value, caller, deps);
    const scopes = scopesFor(found, caller);
    if (scopes === undefined || found.expired) {
      const error = tokenError(found, caller, scopes, deps);
      // The client itself sends no token info request, so it is not authenticated.
      const { client } = found;
      const { requestId } = request;
      reportRequestError(deps, 'tokenInfo', { client, isAuthenticated: false, requestId }, error);
      throw error;
    }
    const { confirmation, expires } = found.token;
    const info: TokenInfo = {
      audience: found.client.clientName,
      scopes,
      principal: principalFor(found),
      expires_in: expires,
    };
    const named = caller.resources.length === 0 ? info : { ...info, ...resourcesNamed(found, caller, deps) };
    const bound = confirmation === undefined ? named : { ...named, cnf: confirmation };
    return caller.loginDetails ? { ...bound, ...(loginDetails(found) ?? { auth_time: null }) } : bound;
  };
}

/** Of a token of another server. @throws OAuthError `token_not_found`, `temporarily_unavailable` */
async function bridgedInfo(
  value: string,
  caller: ResourceServer,
  { tokenBridge }: BridgedLookup,
): Promise<TokenInfo> {
  const found = await tokenBridge?.find(value, caller);
  if (found === undefined) throw new OAuthError('token_not_found');
  const { client, scopes, principal, expires } = found;
  return { audience: client.clientName, scopes, principal, expires_in: expires };
}

/** Nothing for a JWT from before the caller had URIs. */
function resourcesNamed(
  found: FoundAccessToken,
  caller: ResourceServer,
  { registry }: Pick<TokenLookupDependencies, 'registry'>,
): Pick<TokenInfo, 'aud'> {
  const targets = targetServers(found.scopes, found.resourceServer, registry);
  const of = targets.filter(({ resourceServer }) => resourceServer.id === caller.id);
  const aud = namedAudience(found.token, of).filter((name) => caller.resources.includes(name));
  return aud.length > 0 ? { aud } : {};
}

/** `auth_time` in epoch seconds, and `acr`. `undefined` for a client that acts for itself. */
export function loginDetails({ token: { grant } }: FoundAccessToken) {
  if (grant === undefined) return undefined;
  const { authenticatedAt, acr } = grant.authentication;
  return { auth_time: Math.floor(authenticatedAt / 1000), ...(acr !== undefined && { acr }) };
}

/** @param scopes at the caller; `undefined` if the token is not for it */
function tokenError(
  { resourceServer, token, scopes: granted }: FoundAccessToken,
  caller: ResourceServer,
  scopes: Scopes | undefined,
  { registry }: Pick<TokenLookupDependencies, 'registry'>,
): OAuthError {
  if (scopes !== undefined) return new OAuthError('token_expired', because('token_lifetime', token));
  const asking = haveOneOwner(resourceServer, caller) ? caller.key : undefined;
  const targets = targetServers(granted, resourceServer, registry);
  const keys = targets.map((target) => target.resourceServer.key);
  return new OAuthError('token_not_found', because('token_of_resource_server', { keys, asking }));
}

function haveOneOwner(a: ResourceServer, b: ResourceServer): boolean {
  return a.owner === b.owner && a.ownerAuthority === b.ownerAuthority;
}

/** Attributes of a local account that clients get by a scope for which an administrator confirms them. */
const confirmedAttributes: ReadonlySet<string> = new Set(
  Object.entries(defaultClaims).flatMap(([claim, sources]) => {
    const scope = scopeOfClaim(claim);
    return scope !== undefined && needsConfirmation(scope) && !('scope' in sources) ? sources : [];
  }),
);

/**
 * Who registers a client has registered its resource server too. So of a local account, whose data the server itself keeps, a resource server
 * learns no more than the client can. What another authentication module returns is passed on as it is.
 */
function principalFor({ client, principal, token }: FoundAccessToken): Principal {
  if (isConfirmed(client) || token.grant?.owner.identityProvider !== accountIdentityProvider)
    return principal;
  const attributes = Object.entries(principal.attributes).filter(([name]) => !confirmedAttributes.has(name));
  return { ...principal, attributes: Object.fromEntries(attributes) };
}
