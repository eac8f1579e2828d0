import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import { missingParameter, repeatedParameter } from '../../rules/parameters.ts';
import { type AuthorizationParameters, firstValue, isRepeated } from '../parameters.ts';
import type { AuthorizationRequest, RequestingClient } from './authorization-request.ts';

/** The client that the request names, or an error for the resource owner. */
export function readClient(
  parameters: AuthorizationParameters,
  registry: Registry,
): RequestingClient | OAuthError {
  if (isRepeated(parameters, 'client_id')) return repeatedParameter('client_id');
  const clientId = firstValue(parameters, 'client_id');
  if (clientId === undefined) {
    return missingParameter('client_id');
  }
  const client = withResourceServer(registry.clientByClientId(clientId), registry);
  if (client !== undefined) return client;
  return new OAuthError('invalid_request', because('registered_client', { clientId }));
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
  const current = clientById(request.client.id, registry);
  return current && ifAllowed({ ...request, ...current });
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
