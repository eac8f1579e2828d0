import type { Grant } from './records.ts';

/** No grant is active: only the consent is remembered. */
export function isConsentAlone({ lastUsed }: Pick<Grant, 'lastUsed'>): boolean {
  return lastUsed === null;
}

/**
 * Counts what a list of grants shows, as the server counts what ends: grants of a person to one client share a remembered
 * consent.
 */
export function countGrants(
  listed: readonly Pick<Grant, 'lastUsed' | 'consentedScopes' | 'subject' | 'clientId'>[],
) {
  const consents = listed
    .filter(({ consentedScopes }) => consentedScopes.length > 0)
    .map(({ subject, clientId }) => JSON.stringify([subject, clientId]));
  const consentsAlone = listed.filter(isConsentAlone).length;
  return { grants: listed.length - consentsAlone, consents: new Set(consents).size, consentsAlone };
}
