import type { Client } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { NewClient } from '../ports/client-store.ts';
import { redirectUriFault } from '../rules/redirect-uri.ts';
import {
  checkDescriptiveFields,
  checkName,
  checkScopes,
  checkText,
  recordLimits,
  type ScopeRules,
  type Violations,
} from '../rules/registration.ts';

type Attributes = Client['attributes'];

/** What may be submitted of a client. */
export type ClientRegistration = Omit<
  NewClient,
  'secret' | 'tokensValidFrom' | 'resourceServerId' | 'trusted'
>;

/** Of the system's client: everything but what describes it to people. */
export const keptFields = [
  'clientName',
  'scopes',
  'redirectUris',
  'allowedClientCredentials',
  'allowedImplicitGrant',
  'useRefreshTokens',
  'skipConsent',
  'includePrincipal',
  'expireDuration',
  'attributes',
] as const satisfies readonly (keyof ClientRegistration)[];

/** Names each scope and each redirect URI once. */
export function normalized(registration: ClientRegistration): ClientRegistration {
  return {
    ...registration,
    scopes: [...new Set(registration.scopes)],
    redirectUris: [...new Set(registration.redirectUris)],
  };
}

/** What was submitted of the client. */
export function registrationOf({
  id,
  clientId,
  secret,
  tokensValidFrom,
  resourceServerId,
  trusted,
  revision,
  ...registration
}: Client): ClientRegistration {
  return registration;
}

/** Finds every rule that the registration breaks. @param before the client that it changes; `undefined`: it is a new one */
export function checkClient(
  registration: ClientRegistration,
  before: Client | undefined,
  resourceServer: ResourceServer,
  scopeRules: ScopeRules,
  violations: Violations,
): void {
  checkName('clientName', registration.clientName, violations);
  checkDescriptiveFields(registration, violations);
  checkScopes(registration.scopes, scopeRules, violations);
  for (const scope of registration.scopes) {
    if (!resourceServer.scopes.includes(scope)) {
      violations.add('scopes', `${JSON.stringify(scope.slice(0, 40))} is not a scope of the resource server`);
    }
  }
  checkRedirectUris(registration.redirectUris, violations);
  checkGrants(registration, violations);
  checkAttributes(registration.attributes, before?.attributes ?? {}, violations);
}

function checkRedirectUris(redirectUris: readonly string[], violations: Violations): void {
  if (redirectUris.length > recordLimits.redirectUris) {
    violations.add('redirectUris', `are more than ${recordLimits.redirectUris}`);
  }
  for (const uri of redirectUris) {
    const fault = redirectUriFault(uri);
    if (fault !== undefined) violations.add('redirectUris', `${JSON.stringify(uri.slice(0, 80))} ${fault}`);
  }
}

function checkGrants(registration: ClientRegistration, violations: Violations): void {
  const { allowedClientCredentials, allowedImplicitGrant, expireDuration, redirectUris } = registration;
  if (allowedClientCredentials && allowedImplicitGrant) {
    violations.add(
      'allowedClientCredentials',
      'needs a confidential client, and allowedImplicitGrant makes the client public',
    );
  }
  if (allowedImplicitGrant && redirectUris.length === 0) {
    violations.add('redirectUris', 'an implicit-grant client needs at least one');
  }
  const { expireDuration: longest } = recordLimits;
  if (!Number.isSafeInteger(expireDuration) || expireDuration < 0 || expireDuration > longest) {
    violations.add('expireDuration', `is not a whole number of seconds from 0 to ${longest}`);
  }
}

function checkAttributes(attributes: Attributes, before: Attributes, violations: Violations): void {
  const entries = Object.entries(attributes);
  if (entries.length > recordLimits.attributes) {
    violations.add('attributes', `are more than ${recordLimits.attributes}`);
  }
  for (const [name, value] of entries) {
    // Some program that copies attributes one by one would change its prototype by it.
    if (name === '__proto__') violations.add('attributes', 'have the name __proto__');
    checkText('attributes', name, recordLimits.textLength, violations);
    checkText('attributes', value, recordLimits.textLength, violations);
  }
  const size = bytesOf(attributes);
  // What an older release has taken may stay, so that the rest of the record can be changed.
  if (size > recordLimits.attributeBytes && size > bytesOf(before)) {
    violations.add('attributes', `have ${size} bytes together, more than ${recordLimits.attributeBytes}`);
  }
}

/** Of names and values, in UTF-8. */
function bytesOf(attributes: Attributes): number {
  return Object.entries(attributes).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
}
