import {
  type Client,
  type ErrorCause,
  explainRule,
  OAuthError,
  type RecentRequestErrors,
  type RequestError,
  type RequestErrorStore,
  type ResourceServer,
  type RuleExplanation,
  type UnattributedError,
} from '@watchword/protocol';
import type { RegisteredRecords } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';

/** Everything that the server knows of a request that it refused. */
export interface ExplainedError extends ErrorCause {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** The client as registered now; `undefined` if the request names none. */
  readonly client: Client | undefined;
  /** Name of the endpoint, or its address if the request names no client. */
  readonly endpoint: string;
  /** Whether the client proved its identity. */
  readonly isAuthenticated: boolean;
  /** The rule in words; `undefined` if this release does not have the rule. */
  readonly explanation: RuleExplanation | undefined;
}

interface ExplainDependencies {
  readonly registered: RegisteredRecords;
  readonly requestErrors: Pick<RequestErrorStore, 'find'>;
  readonly recentRequestErrors: Pick<RecentRequestErrors, 'find'>;
}

/**
 * Explains the error with that id of the request. The record owner of a client sees its errors, administrators see all.
 *
 * @param since epoch milliseconds: only an error of this time or later
 * @throws OAuthError `not_found`, also for an error that the caller cannot see
 */
export async function explainRequestError(
  caller: Caller,
  requestId: string,
  since: number,
  { registered, requestErrors, recentRequestErrors }: ExplainDependencies,
): Promise<ExplainedError> {
  const found = (await requestErrors.find(requestId, since)) ?? (await recentRequestErrors.find(requestId));
  if (found === undefined) throw noSuchError();
  const { client, resourceServer } = await recordsOf(found, registered);
  const isOwn = resourceServer !== undefined && owns(caller, resourceServer);
  if (!isOwn && !caller.isAdministrator) throw noSuchError();
  return explained(found, requestId, client, resourceServer);
}

/** @param resourceServer that of the client */
export function explained(
  found: RequestError | UnattributedError,
  requestId: string,
  client: Client | undefined,
  resourceServer: ResourceServer | undefined,
): ExplainedError {
  const { time, error, reason, rule, expected, came } = found;
  const records = { clientId: client?.clientId, resourceServerKey: resourceServer?.key };
  return {
    requestId,
    time,
    client,
    endpoint: 'route' in found ? found.route : found.endpoint,
    isAuthenticated: 'isAuthenticated' in found && found.isAuthenticated,
    error,
    reason,
    rule,
    expected,
    came,
    explanation: explainRule(records, rule),
  };
}

async function recordsOf(
  found: RequestError | UnattributedError,
  { clients, resourceServers }: RegisteredRecords,
): Promise<{ client?: Client | undefined; resourceServer?: ResourceServer | undefined }> {
  if (!('clientRecordId' in found)) return {};
  const client = await clients.findById(found.clientRecordId);
  return { client, resourceServer: client && (await resourceServers.findById(client.resourceServerId)) };
}

function noSuchError(): OAuthError {
  return new OAuthError('not_found', {
    description:
      'There is no error with this request id. Errors are kept for a day; those of callers that did not authenticate as a client are only in the memory of the node that answered, until it stops.',
  });
}
