import type { Identity, Principal, ResourceOwner } from '@watchword/protocol';

export function buildPrincipal(overrides: Partial<Principal> = {}): Principal {
  return { name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {}, ...overrides };
}

/** A person with a local account. */
export function buildResourceOwner(name = 'emma', authority = 'password'): ResourceOwner {
  return { authority, subject: buildSubject({ name, authority }), principal: buildPrincipal({ name }) };
}

/** The subject of the resource owner of that name, one for each name at each identity provider. */
export function buildSubject({ name, authority }: Identity): string {
  return `subject of ${JSON.stringify([authority, name])}`;
}
