import { authenticateClient, claimedClient } from '../clients/authenticate-client.ts';
import type { CredentialedRequest } from '../clients/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/guard.ts';
import type { GrantType, IssuedTokens } from '../grants/grant-type.ts';
import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import { formatScope } from '../model/scope.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { SecurityLog } from '../ports/security-log.ts';
import { optionalParameter, requiredParameter } from '../rules/parameters.ts';
import { parseScope, type ScopeSyntax } from '../rules/scope.ts';

/** RFC 6749 §5.1. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly scope: string;
  /** Seconds; 0 = the token does not expire. */
  readonly expires_in: number;
  readonly refresh_token?: string;
}

export interface TokenEndpointDependencies extends AuthenticationDependencies {
  readonly grantTypes: readonly GrantType[];
  readonly scopeSyntax: ScopeSyntax;
  readonly instruments: Instruments;
  readonly securityLog: SecurityLog;
}

/** Answers a token request (RFC 6749 §3.2). @throws OAuthError */
export type TokenEndpoint = (request: CredentialedRequest) => Promise<TokenResponse>;

/**
 * The pipeline that every grant runs through: authenticate the client, find the grant, may the client use
 * it, read the scope, let the grant issue, shape the response.
 */
export function tokenEndpoint(deps: TokenEndpointDependencies): TokenEndpoint {
  const grants = new Map(deps.grantTypes.map((grant) => [grant.type, grant]));

  const answer = async ({ parameters }: CredentialedRequest, client: Client): Promise<TokenResponse> => {
    const grant = grants.get(requiredParameter(parameters, 'grant_type'));
    if (grant === undefined) throw new OAuthError('unsupported_grant_type');
    if (!grant.isAllowedFor(client)) throw new OAuthError('unauthorized_client');
    const scope = optionalParameter(parameters, 'scope');
    const requestedScopes = scope === undefined ? undefined : parseScope(scope, deps.scopeSyntax);
    const issued = await grant.issue({ client, parameters, requestedScopes });
    deps.instruments.tokenIssued(grant.type, client);
    return tokenResponse(issued);
  };

  const report = (request: CredentialedRequest, client: Client | undefined, error: OAuthError) => {
    const { source, requestId, parameters } = request;
    const { account, kind: reason } = error;
    // What stands there may be a secret: only names that the server knows are told.
    const grantType = grants.get(parameters.get('grant_type') ?? '')?.type;
    const clientId = (client ?? claimedClient(request, deps))?.clientId;
    deps.securityLog.tokenRefused({ requestId, source, clientId, account, reason, grantType });
  };

  return async (request) => {
    let client: Client | undefined;
    try {
      client = await authenticateClient(request, deps);
      return await answer(request, client);
    } catch (error) {
      if (error instanceof OAuthError) report(request, client, error);
      throw error;
    }
  };
}

function tokenResponse({ accessToken, accessTokenValue, refreshTokenValue }: IssuedTokens): TokenResponse {
  const { creationDate, expires, scopes } = accessToken;
  return {
    access_token: accessTokenValue,
    token_type: 'bearer',
    scope: formatScope(scopes),
    expires_in: expires === 0 ? 0 : Math.floor((expires - creationDate) / 1000),
    ...(refreshTokenValue === undefined ? {} : { refresh_token: refreshTokenValue }),
  };
}
