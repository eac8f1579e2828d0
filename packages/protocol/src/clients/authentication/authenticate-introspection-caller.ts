import type { Client } from '../../model/records/client.ts';
import type { ClientAuthenticationMethod, RegisteredCaller } from './authentication-method.ts';
import type { CredentialedRequest } from './credentialed-request.ts';
import {
  type AuthenticationDependencies,
  authenticateCaller,
  type CallerKind,
  onlyDescribed,
} from './guard.ts';
import { presentedCredentials } from './presented-credentials.ts';

const introspectionCallers: CallerKind<CredentialedRequest, RegisteredCaller> = {
  read: presentedCredentials,
  accepts: acceptsForIntrospection,
  candidates: (id, registry) => [registry.resourceServerByKey(id), registry.clientByClientId(id)],
  missing:
    'The request has no credentials; send key and secret of a resource server, or clientId and secret of a client, by HTTP Basic.',
};

/**
 * Public clients cannot introspect: any caller can send their `client_id`, and RFC 7662 §2.1 requires authorization to
 * prevent scanning for tokens.
 */
export function acceptsForIntrospection({ provesIdentity }: ClientAuthenticationMethod): boolean {
  return provesIdentity;
}

/**
 * Authenticates a caller of the introspection endpoint (RFC 7662 §2.1): a resource server, or a confidential client.
 *
 * @param described the client as its document describes it now
 * @throws OAuthError `invalid_client`, `invalid_request`, `too_many_requests`
 */
export function authenticateIntrospectionCaller(
  request: CredentialedRequest,
  deps: AuthenticationDependencies,
  described?: Client,
): RegisteredCaller | Promise<RegisteredCaller> {
  return authenticateCaller(request, onlyDescribed(introspectionCallers, described), deps);
}
