import {
  type ClientDependencies,
  describedClient,
  isOfDocument,
} from '../authorize/request/requesting-client.ts';
import type { CredentialedRequest } from '../clients/authentication/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/authentication/guard.ts';
import { claimedIdentifier } from '../clients/authentication/presented-credentials.ts';
import { OAuthError } from '../model/errors/errors.ts';
import type { Client } from '../model/records/client.ts';

export type DescribedCallerDependencies = ClientDependencies &
  Pick<AuthenticationDependencies, 'authenticationMethods'>;

/**
 * The caller as its document describes it, where the record does not say how it authenticates now: it has none before the first consent of a
 * user, and one with keys can have removed a key since the last one. While its document cannot be read, the record counts.
 *
 * @param isStored only a caller with a record is wanted
 * @throws OAuthError of a caller that has no record
 */
export async function describedCaller(
  request: CredentialedRequest,
  deps: DescribedCallerDependencies,
  isStored = false,
): Promise<Client | undefined> {
  const { registry, documentClients, authenticationMethods } = deps;
  if (documentClients === undefined) return undefined;
  const id = claimedIdentifier(request, authenticationMethods) ?? '';
  const stored = registry.clientByClientId(id);
  const isAsRecorded = stored === undefined ? isStored : stored.tokenEndpointAuthMethod !== 'private_key_jwt';
  if (isAsRecorded || !isOfDocument(id, registry)) return undefined;
  try {
    return (await describedClient(id, request.source, deps))?.client;
  } catch (error) {
    if (stored !== undefined && error instanceof OAuthError) return undefined;
    throw error;
  }
}

/** The same of a caller with a record: only an assertion has a key that a document can have lost. */
export function describedSigner(
  request: CredentialedRequest,
  deps: DescribedCallerDependencies,
): Promise<Client | undefined> | undefined {
  return request.parameters.has('client_assertion') ? describedCaller(request, deps, true) : undefined;
}
