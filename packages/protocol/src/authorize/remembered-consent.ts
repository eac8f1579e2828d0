import { identityOf, isStorableKey, type ResourceOwner } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import { isTargeted, marksOf } from '../model/targeted-scope.ts';
import type {
  ConsentKey,
  ConsentStore,
  GivenConsent,
  StoredConsent,
} from '../ports/stores/grants/consent-store.ts';
import type { Clock } from '../ports/system/clock.ts';
import { isHomeOfOpenClients } from '../rules/built-in-records.ts';
import { type AskedScopesDependencies, askedScopes } from './asked-scopes.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

export interface RememberedConsentDependencies extends AskedScopesDependencies {
  readonly consents: ConsentStore;
  readonly clock: Clock;
  readonly issuer: string;
}

/** What the resource owner consented to before, requested now or not. */
export async function rememberedConsent(
  request: AuthorizationRequest,
  owner: ResourceOwner,
  deps: RememberedConsentDependencies,
): Promise<StoredConsent | undefined> {
  return isClientCertain(request, deps) ? deps.consents.find(consentKey(request, owner)) : undefined;
}

/**
 * What to remember of the answer to a consent page: the granted scopes are consented to, the requested scopes that are not
 * granted no longer. `undefined` if the resource owner is to be asked each time.
 *
 * @param remembered what the resource owner consented to before, which this answer replaces
 */
export function givenConsent(
  request: AuthorizationRequest,
  owner: ResourceOwner,
  remembered: StoredConsent | undefined,
  granted: Scopes,
  deps: RememberedConsentDependencies,
): GivenConsent | undefined {
  if (!isClientCertain(request, deps)) return undefined;
  const asked = askedScopes(request, deps);
  const kept = remembered?.scopes.filter((scope) => !asked.includes(scope)) ?? [];
  const key = consentKey(request, owner);
  if (!isStorableKey(key.owner.identityProvider, key.owner.name, key.redirectUri)) return undefined;
  const all = [...kept, ...granted].filter((scope) => scope !== markOfHome);
  // For the own resource server of the client too, which other requests can be for.
  const scopes = isTargeted(all) ? [markOfHome, ...all] : all;
  return { key, scopes, replaces: remembered?.grantId, savedAt: deps.clock.now() };
}

/** A client can use its own resource server without a question, also by name; each scope of it is asked. */
const [markOfHome = ''] = marksOf({ id: undefined, resources: [] });

export function isConsented(scope: string, remembered: StoredConsent | undefined): boolean {
  return scope === markOfHome || remembered?.scopes.includes(scope) === true;
}

/** Whether the response reaches this client and no other. If not, the resource owner is asked each time. */
export function isClientCertain(
  {
    client,
    resourceServer,
    target: { kind, address },
  }: Pick<AuthorizationRequest, 'client' | 'resourceServer' | 'target'>,
  { issuer }: Pick<RememberedConsentDependencies, 'issuer'>,
): boolean {
  // What a document says can be another thing each time, anybody can register, and nobody has looked at it before.
  return !isHomeOfOpenClients(resourceServer) && kind.isCertain(address, client, issuer);
}

function consentKey({ client, target }: AuthorizationRequest, owner: ResourceOwner): ConsentKey {
  const { address: redirectUri } = target;
  return { owner: identityOf(owner), subject: owner.subject, clientRecordId: client.id, redirectUri };
}
