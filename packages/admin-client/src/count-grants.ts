import type { Grant } from './records.ts';

/** No grant is active: only the consent is remembered. */
export function isConsentAlone({ lastUsed }: Pick<Grant, 'lastUsed'>): boolean {
  return lastUsed === null;
}

/** Whether the client gets something again without a question. */
export function isConsentRemembered({
  consentedScopes,
  otherResourceServers,
}: Pick<Grant, 'consentedScopes' | 'otherResourceServers'>): boolean {
  const all = [consentedScopes, ...otherResourceServers.map((other) => other.consentedScopes)];
  return all.some((scopes) => scopes.length > 0);
}

type CountedGrant = Pick<
  Grant,
  'lastUsed' | 'consentedScopes' | 'otherResourceServers' | 'subject' | 'clientId'
>;

/**
 * Counts what a list of grants shows, as the server counts what ends: grants of a person to one client share a remembered
 * consent.
 */
export function countGrants(listed: readonly CountedGrant[]) {
  const consents = listed
    .filter(isConsentRemembered)
    .map(({ subject, clientId }) => JSON.stringify([subject, clientId]));
  const consentsAlone = listed.filter(isConsentAlone).length;
  return { grants: listed.length - consentsAlone, consents: new Set(consents).size, consentsAlone };
}
