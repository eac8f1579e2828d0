import type { Client } from '../../model/records/client.ts';
import type { CredentialedRequest } from './credentialed-request.ts';
import {
  type AuthenticationDependencies,
  authenticateCaller,
  type CallerKind,
  onlyDescribed,
} from './guard.ts';
import { claimedIdentifier, presentedCredentials } from './presented-credentials.ts';

const clients: CallerKind<CredentialedRequest, Client> = {
  read: presentedCredentials,
  accepts: () => true,
  candidates: (id, registry) => [registry.clientByClientId(id)],
  missing:
    'The request has no client credentials; send clientId and secret by HTTP Basic, or as client_id and client_secret in the body. A public client sends its client_id alone.',
};

/**
 * Authenticates the client that calls an endpoint (RFC 6749 §2.3, §3.2.1), by the method that the request uses.
 *
 * @param described the client, if a document describes it that is not stored yet
 * @throws OAuthError `invalid_client`, `invalid_request`, `too_many_requests`
 */
export function authenticateClient(
  request: CredentialedRequest,
  deps: AuthenticationDependencies,
  described?: Client,
): Client | Promise<Client> {
  return authenticateCaller(request, onlyDescribed(clients, described), deps);
}

/** The client that a request names, whether or not it is authentic. */
export function claimedClient(
  request: CredentialedRequest,
  { registry, authenticationMethods }: Pick<AuthenticationDependencies, 'registry' | 'authenticationMethods'>,
): Client | undefined {
  const id = claimedIdentifier(request, authenticationMethods);
  return id === undefined ? undefined : registry.clientByClientId(id);
}
