import { type OAuthErrorDetails, RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Scopes } from '../../model/scope.ts';
import { acceptedValues, readClaimsRequest } from '../../openid/claims-request.ts';
import type { OpenidRequest } from '../../openid/openid-request.ts';
import { splitScopes } from '../../openid/scopes.ts';
import type { UserClaims } from '../../openid/user-claims.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import type { RequestingClient } from './authorization-request.ts';

// Claims of the protocol that a client can request, beside those of users (OpenID Connect Core §5.5.1, §3.1.2.1).
const protocolClaims = ['sub', 'acr', 'auth_time'];

/**
 * What a request has of OpenID Connect (OpenID Connect Core §3.1.2.1, §3.2.2.1). Without the scope `openid` it has nothing.
 *
 * @param scopes the requested scopes that the client can have
 */
export function readOpenid(
  parameters: AuthorizationParameters,
  { client, resourceServer }: RequestingClient,
  scopes: Scopes,
  responseType: ResponseType,
  userClaims: Pick<UserClaims, 'scopeFor'>,
): OpenidRequest | undefined | RedirectableError {
  if (!splitScopes(scopes, resourceServer).openid.includes('openid')) {
    return responseType.issuesIdToken ? invalid(because('openid_scope', { of: responseType })) : undefined;
  }
  const nonce = firstValue(parameters, 'nonce');
  if (responseType.issuesIdToken && nonce === undefined) {
    return invalid(because('openid_nonce', responseType));
  }
  const text = firstValue(parameters, 'claims');
  const isKnown = (claim: string) =>
    protocolClaims.includes(claim) || userClaims.scopeFor(claim, client, resourceServer) !== undefined;
  const claims = text === undefined ? undefined : readClaimsRequest(text, isKnown);
  if (claims instanceof RedirectableError) return claims;
  const requested = [claims?.id_token, claims?.userinfo].flatMap((part) => acceptedValues(part?.sub) ?? []);
  const [sub, ...others] = new Set(requested.map(String));
  if (others.length > 0) return ambiguousSubject();
  return {
    ...(nonce !== undefined && { nonce }),
    ...(claims !== undefined && { claims }),
    ...(sub !== undefined && { hintedSubject: sub }),
  };
}

/** The client names two users, and can accept only one (OpenID Connect Core §5.5.1). */
export function ambiguousSubject(): RedirectableError {
  return invalid(because('one_named_user'));
}

function invalid(why: OAuthErrorDetails): RedirectableError {
  return new RedirectableError('invalid_request', why);
}
