import type { ClientDependencies } from '../authorize/request/requesting-client.ts';
import { actingClient } from '../authorize/sessions/login-event.ts';
import { authenticateClient } from '../clients/authentication/authenticate-client.ts';
import type { CredentialedRequest } from '../clients/authentication/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/authentication/guard.ts';
import { type GrantDependencies, grantPipeline } from '../grants/grant-pipeline.ts';
import type { IssuedTokens, ResponseMembers } from '../grants/grant-type.ts';
import { OAuthError } from '../model/errors/errors.ts';
import { type TokenType, tokenTypeOf } from '../model/records/access-token.ts';
import type { AuditEvent } from '../model/records/audit-event.ts';
import type { Client } from '../model/records/client.ts';
import { clientIdentityProvider } from '../model/reserved-identity-providers.ts';
import { answeredScope } from '../model/targeted-scope.ts';
import type { Random } from '../ports/crypto/random.ts';
import type { AuditEventStore } from '../ports/stores/history/audit-event-store.ts';
import type { Clock } from '../ports/system/clock.ts';
import type { SecurityLog } from '../ports/system/security-log.ts';
import type { Parameters } from '../rules/parameters.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import type { DpopProofs } from '../tokens/dpop-proofs.ts';
import { type SenderConstraint, senderConstraint } from '../tokens/sender-constraint.ts';
import { describedSigner } from './described-caller.ts';
import { failedClient, type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

/** RFC 6749 §5.1. */
export interface TokenResponse extends ResponseMembers {
  readonly access_token: string;
  readonly token_type: TokenType;
  readonly scope: string;
  /** Seconds. If the token does not expire, it is 0, or left out by a setting of the server. */
  readonly expires_in: number | undefined;
  readonly refresh_token?: string;
}

export interface TokenEndpointDependencies
  extends AuthenticationDependencies,
    ClientDependencies,
    GrantDependencies,
    RequestErrorReporting {
  readonly securityLog: SecurityLog;
  readonly auditEvents: Pick<AuditEventStore, 'append'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly dpopProofs: DpopProofs;
  /** Whether `expires_in` is left out instead of 0, because some client libraries read 0 as expired. Default: no. */
  readonly omitsZeroExpiresIn?: boolean;
}

/** Answers a token request (RFC 6749 §3.2). @throws OAuthError */
export type TokenEndpoint = (request: CredentialedRequest) => Promise<TokenResponse>;

export function tokenEndpoint(deps: TokenEndpointDependencies): TokenEndpoint {
  const issueTokens = grantPipeline(deps);
  const unlimited = deps.omitsZeroExpiresIn ? undefined : 0;
  const grantTypes = new Set(deps.grantTypes.map(({ type }) => type));

  const report = (request: CredentialedRequest, authenticated: Client | undefined, error: unknown) => {
    const { source, requestId, parameters } = request;
    const failed = failedClient(request, authenticated, deps);
    reportRequestError(deps, 'token', failed, error);
    if (!(error instanceof OAuthError)) return;
    const { account, kind: reason } = error;
    const named = parameters.get('grant_type') ?? '';
    // An unknown value is not logged: it can be a secret in the wrong place.
    const grantType = grantTypes.has(named) ? named : undefined;
    const clientId = failed.client?.clientId;
    deps.securityLog.tokenRequestFailed({ requestId, source, clientId, account, reason, grantType });
  };

  /**
   * After a refusal: another node can have allowed the grant type, the scope or the resource a moment ago, of the client or of a resource
   * server. Nothing was used up before.
   */
  const issueAgain = async (
    client: Client,
    parameters: Parameters,
    sender: SenderConstraint | undefined,
    refusal: unknown,
  ) => {
    if (!isRefusedByRegistration(refusal)) throw refusal;
    await deps.registry.refresh();
    const current = deps.registry.clientById(client.id);
    const isSame = current === client && refusal.kind !== 'invalid_target';
    if (current === undefined || isSame) throw refusal;
    return issueTokens(current, parameters, sender);
  };

  return async (request) => {
    let client: Client | undefined;
    try {
      const signer = describedSigner(request, deps);
      const described = signer && (await signer);
      const caller = authenticateClient(request, deps, described);
      client = caller instanceof Promise ? await caller : caller;
      const proof = senderConstraint(request, client, deps.dpopProofs);
      const sender = proof instanceof Promise ? await proof : proof;
      let issued: IssuedTokens;
      try {
        issued = await issueTokens(client, request.parameters, sender);
      } catch (refusal) {
        issued = await issueAgain(client, request.parameters, sender, refusal);
      }
      return tokenResponse(issued, unlimited);
    } catch (error) {
      if (error instanceof OAuthError && client !== undefined) await noteReplay(error, client, request, deps);
      report(request, client, error);
      throw error;
    }
  };
}

/** One of the two who used the code or refresh token is an attacker, so the end of the grant is for those who review security. */
async function noteReplay(
  { revokedGrant, account, rule }: OAuthError,
  client: Client,
  { source }: Pick<CredentialedRequest, 'source'>,
  { auditEvents, clock, random }: Pick<TokenEndpointDependencies, 'auditEvents' | 'clock' | 'random'>,
): Promise<void> {
  if (revokedGrant === undefined || account === undefined) return;
  const time = clock.now();
  const { id, clientId } = client;
  const event: AuditEvent = {
    id: timeOrderedId(time, random),
    time,
    actor: { identityProvider: clientIdentityProvider(id), name: clientId },
    ...actingClient(client),
    source,
    action: 'revokeGrants',
    recordType: 'grant',
    recordId: revokedGrant,
    recordName: clientId,
    owner: account,
    before: undefined,
    after: { reason: rule },
  };
  await auditEvents.append([event]);
}

function isRefusedByRegistration(error: unknown): error is OAuthError {
  return (
    error instanceof OAuthError &&
    ['unauthorized_client', 'invalid_scope', 'invalid_target'].includes(error.kind)
  );
}

/** @param unlimited `expires_in` of a token that does not expire */
function tokenResponse(issued: IssuedTokens, unlimited: 0 | undefined): TokenResponse {
  const { accessToken, accessTokenValue, refreshTokenValue, members } = issued;
  const { creationDate, expires, scopes } = accessToken;
  return {
    access_token: accessTokenValue,
    token_type: tokenTypeOf(accessToken),
    scope: answeredScope(scopes),
    expires_in: expires === 0 ? unlimited : Math.floor((expires - creationDate) / 1000),
    ...(refreshTokenValue === undefined ? {} : { refresh_token: refreshTokenValue }),
    ...members,
  };
}
