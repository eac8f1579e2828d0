import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Registry } from '../ports/registry.ts';
import type { AuthorizationRequest } from './request.ts';
import { mayReturnTo } from './return-address.ts';

/** The parties of a request, as they are registered now. */
export interface Parties {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
}

/** Who asks for a login that is under way. */
export interface PendingLogin extends Parties {
  /** Where its answer goes. */
  readonly redirectUri: string;
}

/**
 * A registration may end or change while somebody types a password.
 *
 * @throws OAuthError `invalid_request`
 */
export function partiesOf(
  { clientRecordId, redirectUri, responseType }: AuthorizationRequest,
  registry: Registry,
): Parties {
  const client = registry.clientById(clientRecordId);
  const resourceServer = client && registry.resourceServerById(client.resourceServerId);
  const mayStill =
    client !== undefined &&
    mayReturnTo(client, redirectUri) &&
    (responseType === 'code' || client.allowedImplicitGrant);
  if (mayStill && resourceServer !== undefined) return { client, resourceServer };
  throw noLongerRegistered();
}

export function noLongerRegistered(): OAuthError {
  return new OAuthError('invalid_request', {
    description: 'The application that asked is no longer registered as it was.',
  });
}
