import { tokenTypeOf } from '../../model/access-token.ts';
import { displayName } from '../../model/principal.ts';
import { formatScope } from '../../model/scope.ts';
import type { GrantStore } from '../../ports/grant-store.ts';
import type { Instruments } from '../../ports/instruments.ts';
import { newAccessToken, type TokenMakingDependencies } from '../../tokens/issue-access-token.ts';
import type { ResponseParameters } from '../targets/response-target.ts';
import type { GrantedRequest, ResponseType } from './response-type.ts';

export interface TokenDependencies extends TokenMakingDependencies {
  readonly grants: GrantStore;
  readonly instruments: Instruments;
  /** Seconds until the access token of a client without expiry expires. */
  readonly implicitLifetime: number;
}

/** The implicit grant (RFC 6749 §4.2). */
export function tokenResponseType(deps: TokenDependencies): ResponseType {
  return {
    name: 'token',
    responseModes: ['fragment', 'form_post'],
    mayOmitRedirectUri: false,
    metadata: { grant_types_supported: ['implicit'] },
    isAllowedFor: (client) => client.allowedImplicitGrant,
    read: () => ({}),
    issue: (granted) => issueToken(granted, deps),
  };
}

/** RFC 6749 §4.2.2. */
async function issueToken(
  { client, grant, event, answer }: GrantedRequest,
  deps: TokenDependencies,
): Promise<ResponseParameters | undefined> {
  const { scopes, owner } = grant;
  const lifetime = client.expireDuration === 0 ? deps.implicitLifetime : client.expireDuration;
  const made = newAccessToken({ client, scopes, grant, lifetime }, deps);
  // The caller stores the consent right after this call. It must come after the grant, so nothing waits that need not.
  const { accessToken, accessTokenValue } = made instanceof Promise ? await made : made;
  const { creationDate, expires } = accessToken;
  const isStored = await deps.grants.insert(grant, accessToken, answer, event);
  if (answer !== undefined && !isStored) return undefined;
  deps.instruments.tokenIssued('implicit', client);
  return {
    access_token: accessTokenValue,
    token_type: tokenTypeOf(accessToken),
    // Never 0: a token that was in an address always expires.
    expires_in: String((expires - creationDate) / 1000),
    scope: formatScope(scopes),
    ...(client.includePrincipal && { principal: displayName(owner.principal) }),
  };
}
