import { claimedClient } from '../clients/authentication/authenticate-client.ts';
import type { CredentialedRequest } from '../clients/authentication/credentialed-request.ts';
import { protocolErrors } from '../model/errors/error-table.ts';
import { OAuthError } from '../model/errors/errors.ts';
import type { ErrorCause, RequestErrorEndpoint } from '../model/errors/request-error.ts';
import { withoutSecrets } from '../model/quoted.ts';
import { type Client, isPublicClient } from '../model/records/client.ts';
import { StoreUnavailableError } from '../ports/stores/store-errors.ts';
import type { RequestErrorLog } from '../ports/system/request-error-log.ts';
import { hasRecord } from '../rules/document-client.ts';

/** What is known of the client of a request that failed. */
export interface FailedClient {
  /** `undefined` if the request names no registered client; then nothing is reported. */
  readonly client: Client | undefined;
  /** Whether the client passed client authentication. */
  readonly isAuthenticated: boolean;
  readonly requestId: string | undefined;
}

export interface RequestErrorReporting {
  readonly requestErrorLog: RequestErrorLog;
}

/** The client of a request that failed: the one that was authenticated, or the one that the request names. */
export function failedClient(
  request: CredentialedRequest,
  authenticated: Client | undefined,
  deps: Parameters<typeof claimedClient>[1],
): FailedClient {
  const client = authenticated ?? claimedClient(request, deps);
  return { client, isAuthenticated: authenticated !== undefined, requestId: request.requestId };
}

/** Reports why a request failed to the record owner of its client. @param thrown the error of the request */
export function reportRequestError(
  { requestErrorLog }: RequestErrorReporting,
  endpoint: RequestErrorEndpoint,
  { client, isAuthenticated, requestId }: FailedClient,
  thrown: unknown,
): void {
  if (client === undefined || !hasRecord(client)) return;
  requestErrorLog.requestFailed({
    ...errorCause(thrown),
    clientRecordId: client.id,
    endpoint,
    // Anybody can send the client_id of a public client.
    isAuthenticated: isAuthenticated && !isPublicClient(client),
    requestId,
  });
}

/** Why a request was refused. @param thrown the error of the request */
export function errorCause(thrown: unknown): ErrorCause {
  if (thrown instanceof OAuthError) {
    const { kind, message, reason = message, rule, expected, violations, came } = thrown;
    const { error } = protocolErrors[kind];
    return { error, reason, rule, expected, came: came ?? violations?.map(withoutSecrets).join('; ') };
  }
  if (thrown instanceof StoreUnavailableError) {
    return {
      error: 'temporarily_unavailable',
      reason: 'The server could not use its database for a moment.',
      rule: protocolErrors.temporarily_unavailable.rule,
      expected: undefined,
      came: undefined,
    };
  }
  return {
    error: 'server_error',
    reason: 'The server failed. Its log has the cause under the id of the request.',
    rule: protocolErrors.server_error.rule,
    expected: undefined,
    came: undefined,
  };
}
