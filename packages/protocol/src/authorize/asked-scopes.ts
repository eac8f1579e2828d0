import type { ClaimsRequest, RequestedClaims } from '../model/claims-request.ts';
import { isProtocolClaim } from '../model/protocol-claims.ts';
import type { Scopes } from '../model/scope.ts';
import type { OpenidRequest } from '../openid/openid-request.ts';
import type { UserClaims } from '../openid/user-claims.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

export interface AskedScopesDependencies {
  readonly userClaims: Pick<UserClaims, 'scopeFor'>;
}

/**
 * The scopes to which the resource owner must consent: the requested ones, and those of the claims that the client requests by
 * their names. The page has no other words for single claims than those of their scope.
 */
export function askedScopes(request: AuthorizationRequest, deps: AskedScopesDependencies): Scopes {
  const { scopes, openid } = request;
  const { id_token = {}, userinfo = {} } = openid?.claims ?? {};
  const ofClaims = [...Object.keys(id_token), ...Object.keys(userinfo)]
    .filter((claim) => !isProtocolClaim(claim))
    .flatMap((claim) => scopeOf(claim, request, deps) ?? []);
  return [...new Set([...scopes, ...ofClaims])];
}

/** What the client gets of its request after the consent to some of the {@link askedScopes}. */
export interface ConsentedRequest {
  readonly scopes: Scopes;
  readonly openid: OpenidRequest | undefined;
}

/** A scope that was asked for the sake of single claims gives these, and no others of that scope. */
export function consentedRequest(
  request: AuthorizationRequest,
  consented: Scopes,
  deps: AskedScopesDependencies,
): ConsentedRequest {
  const { scopes, openid } = request;
  const granted = scopes.filter((scope) => consented.includes(scope));
  if (openid?.claims === undefined) return { scopes: granted, openid };
  const { claims, ...rest } = openid;
  const left = consentedClaims(claims, (claim) => {
    // Claims of the protocol, such as `acr`, need no consent beyond the login.
    if (isProtocolClaim(claim)) return true;
    const scope = scopeOf(claim, request, deps);
    return scope !== undefined && consented.includes(scope);
  });
  return { scopes: granted, openid: { ...rest, ...(left && { claims: left }) } };
}

function consentedClaims(
  { id_token, userinfo }: ClaimsRequest,
  isConsented: (claim: string) => boolean,
): ClaimsRequest | undefined {
  const left = (part: RequestedClaims = {}) => {
    const entries = Object.entries(part).filter(([claim]) => isConsented(claim));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const [ofIdToken, ofUserinfo] = [left(id_token), left(userinfo)];
  if (ofIdToken === undefined && ofUserinfo === undefined) return undefined;
  return { ...(ofIdToken && { id_token: ofIdToken }), ...(ofUserinfo && { userinfo: ofUserinfo }) };
}

function scopeOf(
  claim: string,
  { client, resourceServer }: AuthorizationRequest,
  { userClaims }: AskedScopesDependencies,
): string | undefined {
  return userClaims.scopeFor(claim, client, resourceServer);
}
