import { type AuthenticationDependencies, authenticateClient } from '../credentials/authenticate.ts';
import type { CredentialedRequest } from '../credentials/presented-credentials.ts';
import { requiredParameter } from '../rules/parameters.ts';
import { findAccessToken, type TokenLookupDependencies } from './find-access-token.ts';

/** Resolves once the revocation is durable. */
export type RevocationEndpoint = (request: CredentialedRequest) => Promise<void>;

/**
 * A client gives back a token of its own (RFC 7009). A token that is unknown, or another client's, is
 * answered like one that was revoked: the answer tells nothing about it (§2.2).
 *
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export function revocationEndpoint(
  world: AuthenticationDependencies & TokenLookupDependencies,
): RevocationEndpoint {
  return async (request) => {
    const client = authenticateClient(request, world);
    const found = await findAccessToken(requiredParameter(request.parameters, 'token'), world);
    if (found?.client.id === client.id) await world.accessTokens.revoke(found.token.id);
  };
}
