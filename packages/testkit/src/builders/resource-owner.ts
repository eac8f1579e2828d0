import type { Identity, Principal, ResourceOwner } from '@watchword/protocol';

export function buildPrincipal(overrides: Partial<Principal> = {}): Principal {
  return { name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {}, ...overrides };
}

/** A person with a local account. */
export function buildResourceOwner(name = 'emma', identityProvider = 'password'): ResourceOwner {
  return {
    identityProvider,
    subject: buildSubject({ name, identityProvider }),
    principal: buildPrincipal({ name }),
  };
}

/** The subject of the resource owner of that name, one for each name at each identity provider. */
export function buildSubject({ name, identityProvider }: Identity): string {
  return `subject of ${JSON.stringify([identityProvider, name])}`;
}
