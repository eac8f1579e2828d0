import type { ClaimsRequest, RequestedClaims } from '../model/claims-request.ts';
import { isProtocolClaim } from '../model/protocol-claims.ts';
import type { Scopes } from '../model/scope.ts';
import type { OpenidRequest } from '../openid/openid-request.ts';
import { scopeOfClaim } from '../openid/scopes.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

/**
 * The scopes to which the resource owner must consent: the requested ones, and those of the claims that the client requests by
 * their names. The page has no other words for single claims than those of their scope.
 */
export function askedScopes({ scopes, openid }: AuthorizationRequest): Scopes {
  const { id_token = {}, userinfo = {} } = openid?.claims ?? {};
  const ofClaims = [...Object.keys(id_token), ...Object.keys(userinfo)].flatMap(scopeOfUserClaim);
  return [...new Set([...scopes, ...ofClaims])];
}

/** What the client gets of its request after the consent to some of the {@link askedScopes}. */
export interface ConsentedRequest {
  readonly scopes: Scopes;
  readonly openid: OpenidRequest | undefined;
}

/** A scope that was asked for the sake of single claims gives these, and no others of that scope. */
export function consentedRequest(
  { scopes, openid }: AuthorizationRequest,
  consented: Scopes,
): ConsentedRequest {
  const granted = scopes.filter((scope) => consented.includes(scope));
  if (openid?.claims === undefined) return { scopes: granted, openid };
  const { claims, ...rest } = openid;
  const left = consentedClaims(claims, consented);
  return { scopes: granted, openid: { ...rest, ...(left && { claims: left }) } };
}

function consentedClaims(
  { id_token, userinfo }: ClaimsRequest,
  consented: Scopes,
): ClaimsRequest | undefined {
  const left = (part: RequestedClaims = {}) => {
    const entries = Object.entries(part).filter(([claim]) =>
      scopeOfUserClaim(claim).every((scope) => consented.includes(scope)),
    );
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const [ofIdToken, ofUserinfo] = [left(id_token), left(userinfo)];
  if (ofIdToken === undefined && ofUserinfo === undefined) return undefined;
  return { ...(ofIdToken && { id_token: ofIdToken }), ...(ofUserinfo && { userinfo: ofUserinfo }) };
}

/** Claims of the protocol, such as `acr`, need no consent beyond the login. */
function scopeOfUserClaim(claim: string): Scopes {
  return isProtocolClaim(claim) ? [] : [scopeOfClaim(claim)];
}
