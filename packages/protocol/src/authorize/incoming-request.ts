import type { Client } from '../model/client.ts';
import { RedirectableError } from '../model/errors.ts';
import type { IdTokenHintDependencies } from '../openid/id-token-hint.ts';
import { withIdTokenHint } from './id-token-hint.ts';
import type { AuthorizationParameters } from './parameters.ts';
import {
  errorForClient,
  type RequestDependencies,
  type RequestReading,
  readAuthorizationRequest,
} from './request/read-request.ts';

export type IncomingDependencies = RequestDependencies & IdTokenHintDependencies;

/** An authorization request as it came, and what it means. */
export interface IncomingRequest {
  readonly reading: RequestReading;
  /** The client that the request names, also if the rest is invalid. */
  readonly client: Client | undefined;
}

/**
 * The one place that reads the parameters of a request. It is asynchronous, because what they name can be elsewhere: the changes of another
 * node, the key of an ID token.
 */
export async function readIncoming(
  parameters: AuthorizationParameters,
  deps: IncomingDependencies,
): Promise<IncomingRequest> {
  const reading = await readWithHint(parameters, deps);
  return {
    reading,
    client: reading.type === 'valid' ? reading.request.client : namedClient(parameters, deps),
  };
}

/** @throws OAuthError for the resource owner */
export function redirectUriOf({ reading }: IncomingRequest): string {
  if (reading.type === 'errorForOwner') throw reading.error;
  return reading.type === 'valid' ? reading.request.target.redirectUri : reading.target.redirectUri;
}

/** Only then it is known which user the client means, so a hint that is not valid is an error of the request. */
async function readWithHint(
  parameters: AuthorizationParameters,
  deps: IncomingDependencies,
): Promise<RequestReading> {
  const reading = await readOnAllNodes(parameters, deps);
  if (reading.type !== 'valid') return reading;
  const request = await withIdTokenHint(reading.request, parameters, deps);
  if (!(request instanceof RedirectableError)) return { type: 'valid', request };
  return errorForClient(reading.request, request, parameters);
}

/** Another node can have registered or changed the client a moment ago. So no request fails before its changes are read. */
async function readOnAllNodes(
  parameters: AuthorizationParameters,
  deps: RequestDependencies,
): Promise<RequestReading> {
  const reading = readAuthorizationRequest(parameters, deps);
  if (reading.type === 'valid') return reading;
  await deps.registry.refresh();
  return readAuthorizationRequest(parameters, deps);
}

function namedClient(
  parameters: AuthorizationParameters,
  { registry }: Pick<RequestDependencies, 'registry'>,
): Client | undefined {
  const [clientId, ...others] = parameters.get('client_id') ?? [];
  return clientId === undefined || others.length > 0 ? undefined : registry.clientByClientId(clientId);
}
