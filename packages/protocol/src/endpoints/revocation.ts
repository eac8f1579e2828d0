import { timingSafeEqual } from 'node:crypto';
import { authenticateClient } from '../clients/authenticate-client.ts';
import type { CredentialedRequest } from '../clients/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/guard.ts';
import type { RefreshToken } from '../model/refresh-token.ts';
import type { GrantStore } from '../ports/grant-store.ts';
import type { RefreshTokenStore } from '../ports/refresh-token-store.ts';
import { requiredParameter } from '../rules/parameters.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { findIssuedToken, type TokenLookupDependencies } from '../tokens/find-access-token.ts';

/** Resolves once the revocation is durable. */
export type RevocationEndpoint = (request: CredentialedRequest) => Promise<void>;

export interface RevocationDependencies
  extends AuthenticationDependencies,
    Omit<TokenLookupDependencies, 'identityProviders'> {
  readonly refreshTokens: RefreshTokenStore;
  readonly grants: GrantStore;
}

/**
 * A client gives back a token of its own (RFC 7009). A token that is unknown, or another client's, is
 * answered like one that was revoked: the answer tells nothing about it (§2.2). An access token dies alone, a refresh
 * token with its grant and everything under it (§2.1). What kind it is can be read from the token, so that
 * `token_type_hint` is not needed.
 *
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export function revocationEndpoint(deps: RevocationDependencies): RevocationEndpoint {
  return async (request) => {
    const client = await authenticateClient(request, deps);
    const value = requiredParameter(request.parameters, 'token');
    const refreshToken = await findRefreshToken(value, deps);
    if (refreshToken?.clientRecordId === client.id) {
      await deps.grants.revoke(refreshToken.grantId, deps.clock.now());
    }
    const found = await findIssuedToken(value, deps);
    if (found?.client.id === client.id) await deps.accessTokens.revoke(found.token.id);
  };
}

/** One that was used up counts too: whoever gives it back wants an end to all. */
async function findRefreshToken(
  value: string,
  { refreshTokens }: RevocationDependencies,
): Promise<RefreshToken | undefined> {
  const presented = parseBearerValue('refresh', value);
  const found = presented && (await refreshTokens.find(presented.id));
  return found && timingSafeEqual(found.token.verifierHash, presented.verifierHash) ? found.token : undefined;
}
