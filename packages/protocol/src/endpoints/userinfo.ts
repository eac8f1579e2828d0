import { OAuthError } from '../model/errors/errors.ts';
import { type IdTokenDependencies, signingAlgorithm } from '../openid/id-token.ts';
import { splitScopes } from '../openid/scopes.ts';
import type { UserClaimSet } from '../openid/user-claims.ts';
import {
  type AccessTokenDependencies,
  authenticateAccessToken,
  type PresentedTokenRequest,
} from '../tokens/authenticate-access-token.ts';
import type { FoundAccessToken } from '../tokens/find-access-token.ts';

export interface UserinfoDependencies
  extends AccessTokenDependencies,
    Pick<IdTokenDependencies, 'signer' | 'subjects' | 'userClaims' | 'issuer'> {}

/** Claims of the user, as a JSON object or as the text of a JWT (OpenID Connect Core §5.3.2). */
export type Userinfo = { readonly claims: UserClaimSet } | { readonly jwt: string };

/**
 * Answers a client, with the access token of a user, which claims it can have of the user (OpenID Connect Core §5.3).
 *
 * @throws OAuthError `missing_token`, `invalid_token`, `invalid_request`, `insufficient_scope`, `too_many_requests`, those of proofs
 */
export type UserinfoEndpoint = (request: PresentedTokenRequest) => Promise<Userinfo>;

export function userinfoEndpoint(deps: UserinfoDependencies): UserinfoEndpoint {
  return async (request) => {
    const found = await authenticateAccessToken(request, deps, () => true);
    const { client } = found;
    const claims = claimsOf(found, deps);
    if (client.userinfoSignedResponseAlg === '') return { claims };
    const algorithm = signingAlgorithm(client.userinfoSignedResponseAlg, client, deps.signer);
    const signed = { ...claims, iss: deps.issuer, aud: client.clientId };
    return { jwt: await deps.signer.sign(signed, { algorithm, type: 'JWT' }) };
  };
}

/** @throws OAuthError `insufficient_scope`, `invalid_token` */
function claimsOf(
  { token: { audience, grant }, client, resourceServer, scopes }: FoundAccessToken,
  { issuer, subjects, userClaims }: UserinfoDependencies,
): UserClaimSet {
  const granted = splitScopes(scopes, resourceServer).openid;
  if (grant === undefined || !granted.includes('openid')) {
    throw new OAuthError('insufficient_scope', { scope: 'openid', expected: 'openid' });
  }
  // A JWT can be from a time at which the resource server had a scope of that name of its own.
  if (audience !== undefined && !audience.includes(issuer)) throw new OAuthError('invalid_token');
  const selection = { client, granted, requested: grant.claims?.userinfo };
  return { ...userClaims.forClient(grant, selection), sub: subjects.subjectFor(client, grant.owner) };
}
