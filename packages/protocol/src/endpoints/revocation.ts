import { authenticateClient } from '../clients/authentication/authenticate-client.ts';
import type { CredentialedRequest } from '../clients/authentication/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/authentication/guard.ts';
import type { Client } from '../model/records/client.ts';
import type { AccessTokenStore } from '../ports/stores/grants/access-token-store.ts';
import type { GrantStore } from '../ports/stores/grants/grant-store.ts';
import type { RefreshTokenStore } from '../ports/stores/grants/refresh-token-store.ts';
import type { RevocationStore } from '../ports/stores/grants/revocation-store.ts';
import { requiredParameter } from '../rules/parameters.ts';
import {
  type FoundAccessToken,
  findIssuedToken,
  type IssuedTokenDependencies,
} from '../tokens/find-access-token.ts';
import { findRefreshToken } from '../tokens/find-refresh-token.ts';
import { revocationOf } from '../tokens/formats/jwt.ts';
import { type DescribedCallerDependencies, describedSigner } from './described-caller.ts';
import { failedClient, type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

/** Resolves once the revocation is durable. */
export type RevocationEndpoint = (request: CredentialedRequest) => Promise<void>;

export interface RevocationDependencies
  extends AuthenticationDependencies,
    RequestErrorReporting,
    IssuedTokenDependencies,
    DescribedCallerDependencies {
  readonly accessTokens: AccessTokenStore;
  readonly revocations: RevocationStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly grants: GrantStore;
}

/**
 * A client revokes its own token (RFC 7009). An unknown token and a token of another client have the same answer as a
 * revoked one (§2.2). An access token is revoked alone, a refresh token together with its grant and everything that was issued
 * under it (§2.1), used refresh tokens included. The text shows which kind it is, so that `token_type_hint` is not needed.
 *
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export function revocationEndpoint(deps: RevocationDependencies): RevocationEndpoint {
  const { refreshTokens, grants, clock } = deps;
  return async (request) => {
    let client: Client | undefined;
    try {
      client = await authenticateClient(request, deps, await describedSigner(request, deps));
      const value = requiredParameter(request.parameters, 'token');
      const refresh = await findRefreshToken(value, refreshTokens);
      if (refresh?.token.clientRecordId === client.id) {
        await grants.revoke(refresh.token.grantId, clock.now());
      }
      const access = await findIssuedToken(value, deps);
      if (access?.client.id === client.id) await revokeAccessToken(access, deps);
    } catch (error) {
      reportRequestError(deps, 'revocation', failedClient(request, client, deps), error);
      throw error;
    }
  };
}

/** A JWT is refused from now on; its row ends with it. An expired one is refused without a row. */
async function revokeAccessToken(
  { token, expired }: FoundAccessToken,
  { accessTokens, revocations, clock }: RevocationDependencies,
): Promise<void> {
  if (token.format === 'opaque') await accessTokens.revoke(token.id);
  else if (!expired) await revocations.revokeToken(revocationOf(token, clock.now()));
}
