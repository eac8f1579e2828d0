import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import type { DocumentClients } from '../../ports/system/document-clients.ts';
import { isDocumentClient, isDocumentUrl } from '../../rules/document-client.ts';
import { missingParameter, repeatedParameter } from '../../rules/parameters.ts';
import { targetServers } from '../../rules/target-servers.ts';
import { type AuthorizationParameters, firstValue, isRepeated } from '../parameters.ts';
import type { AuthorizationRequest, RequestingClient } from './authorization-request.ts';

export interface ClientDependencies {
  readonly registry: Registry;
  /** Absent where every client is registered. */
  readonly documentClients?: DocumentClients | undefined;
}

/**
 * The client that the request names, or an error for the resource owner.
 *
 * @param described the client of a document, if the request names one
 */
export function readClient(
  parameters: AuthorizationParameters,
  registry: Registry,
  described?: RequestingClient,
): RequestingClient | OAuthError {
  if (isRepeated(parameters, 'client_id')) return repeatedParameter('client_id');
  const clientId = firstValue(parameters, 'client_id');
  if (clientId === undefined) {
    return missingParameter('client_id');
  }
  if (described !== undefined) return described;
  const registered = withResourceServer(registry.clientByClientId(clientId), registry);
  // The record of one that a document describes does not say whether it can still ask.
  if (registered !== undefined && !isDescribed(registered)) return registered;
  return new OAuthError('invalid_request', because('registered_client', { clientId }));
}

function isDescribed({ client, resourceServer }: RequestingClient): boolean {
  return isDocumentClient(client, resourceServer);
}

/** Whether a document tells what is known of the client: no registered client has this client_id. */
export function isOfDocument(clientId: string, registry: Registry): boolean {
  if (!isDocumentUrl(clientId)) return false;
  const registered = withResourceServer(registry.clientByClientId(clientId), registry);
  return registered === undefined || isDescribed(registered);
}

/** The client of the document as it is now. @throws OAuthError for the resource owner */
export async function describedClient(
  clientId: string,
  source: string,
  { documentClients }: ClientDependencies,
): Promise<RequestingClient | undefined> {
  return documentClients?.find(clientId, source);
}

export function clientById(id: number, registry: Registry): RequestingClient | undefined {
  return withResourceServer(registry.clientById(id), registry);
}

function withResourceServer(client: Client | undefined, registry: Registry): RequestingClient | undefined {
  const resourceServer = client && registry.resourceServerById(client.resourceServerId);
  return resourceServer && { client, resourceServer };
}

/** The request with its client as registered now; `undefined` when the client may no longer send this request. */
export function withCurrentClient(
  request: AuthorizationRequest,
  registry: Registry,
): AuthorizationRequest | undefined {
  // What a document says was read when this request of the browser began.
  if (isDescribed(request)) return ifAllowed(request);
  const current = clientById(request.client.id, registry);
  if (current === undefined) return undefined;
  const targets = targetServers(request.scopes, current.resourceServer, registry);
  return ifAllowed({ ...request, ...current, targets });
}

/** The request, as long as the client is registered for it. */
export function ifAllowed(request: AuthorizationRequest): AuthorizationRequest | undefined {
  const { client, target, responseType } = request;
  return target.kind.isAllowedFor(target.address, client) && responseType.isAllowedFor(client)
    ? request
    : undefined;
}

export function noLongerRegistered(): OAuthError {
  return new OAuthError('invalid_request', because('unchanged_registration', {}));
}
