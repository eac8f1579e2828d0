import { isPublicClient } from '../model/client.ts';
import type { Grant } from '../model/grant.ts';
import { identityOf, isStorableKey, type ResourceOwner } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConsentKey, ConsentStore } from '../ports/consent-store.ts';
import { askedScopes } from './asked-scopes.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

export interface RememberedConsentDependencies {
  readonly consents: ConsentStore;
  readonly clock: Clock;
  readonly issuer: string;
}

/** The scopes that the resource owner consented to before, requested now or not. */
export async function consentedScopes(
  request: AuthorizationRequest,
  owner: ResourceOwner,
  deps: RememberedConsentDependencies,
): Promise<Scopes> {
  return isClientCertain(request, deps) ? deps.consents.find(consentKey(request, owner)) : [];
}

/**
 * Remembers the answer to a consent page: the granted scopes are consented to, the requested scopes that are not granted no
 * longer.
 *
 * @param consented the scopes that the resource owner consented to before
 * @param grant the grant of the answer; if it is not stored, the consent is not remembered
 */
export async function rememberConsent(
  request: AuthorizationRequest,
  consented: Scopes,
  granted: Scopes,
  grant: Grant,
  deps: RememberedConsentDependencies,
): Promise<void> {
  if (!isClientCertain(request, deps)) return;
  const kept = consented.filter((scope) => !askedScopes(request).includes(scope));
  const key = consentKey(request, grant.owner);
  // Then the resource owner is asked each time.
  if (!isStorableKey(key.owner.identityProvider, key.owner.name, key.redirectUri)) return;
  await deps.consents.save(key, [...kept, ...granted], deps.clock.now(), grant.id);
}

/**
 * Whether the response reaches this client and no other. Any program can claim to be a public client. If the
 * redirect URI is an https address, or a page of this server, only the client gets the response. At a loopback port or a
 * private-use scheme any program can listen, so the resource owner is asked each time (RFC 8252 §8.6, OAuth 2.1 §7.3.1).
 */
export function isClientCertain(
  { client, target: { redirectUri } }: AuthorizationRequest,
  deps: Pick<RememberedConsentDependencies, 'issuer'>,
): boolean {
  return (
    !isPublicClient(client) || redirectUri.startsWith('https://') || redirectUri.startsWith(`${deps.issuer}/`)
  );
}

function consentKey({ client, target }: AuthorizationRequest, owner: ResourceOwner): ConsentKey {
  const { redirectUri } = target;
  return { owner: identityOf(owner), subject: owner.subject, clientRecordId: client.id, redirectUri };
}
