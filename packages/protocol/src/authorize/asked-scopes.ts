import type { ClaimsRequest, RequestedClaims } from '../model/claims-request.ts';
import { isProtocolClaim } from '../model/protocol-claims.ts';
import type { Scopes } from '../model/scope.ts';
import { isMark, memberOf, withoutResources } from '../model/targeted-scope.ts';
import type { OpenidRequest } from '../openid/openid-request.ts';
import { splitScopes } from '../openid/scopes.ts';
import type { UserClaims } from '../openid/user-claims.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

export interface AskedScopesDependencies {
  readonly userClaims: Pick<UserClaims, 'scopeFor'>;
}

/**
 * What the resource owner must consent to: the requested scopes, the resource servers that they are for, if the client named some, and the
 * scopes of the claims that the client requests by their names. The page has no other words for single claims than those of their scope.
 */
export function askedScopes(request: AuthorizationRequest, deps: AskedScopesDependencies): Scopes {
  const { openid } = request;
  const scopes = withoutResources(request.scopes);
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

/**
 * The answer to a consent page, with the marks that belong to it: a resource server of which all scopes were refused gets no token, unless
 * that is so of all.
 *
 * @param given scopes of a consent module
 */
export function answeredScopes(
  { scopes: requested, resourceServer }: AuthorizationRequest,
  given: Scopes,
): Scopes {
  const marks = withoutResources(requested).filter(isMark);
  const isRefused = (mark: string) => {
    const { id } = memberOf(mark);
    const own = requested.filter((member) => !isMark(member) && memberOf(member).id === id);
    const { ofResourceServer } = splitScopes(own, resourceServer);
    return ofResourceServer.length > 0 && !ofResourceServer.some((scope) => given.includes(scope));
  };
  return [...(marks.every(isRefused) ? marks : marks.filter((mark) => !isRefused(mark))), ...given];
}

/** A scope that was asked for the sake of single claims gives these, and no others of that scope. */
export function consentedRequest(
  request: AuthorizationRequest,
  consented: Scopes,
  deps: AskedScopesDependencies,
): ConsentedRequest {
  const { scopes, openid } = request;
  const granted = scopes.filter((scope) =>
    withoutResources([scope]).some((plain) => consented.includes(plain)),
  );
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
