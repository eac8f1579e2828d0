import type { Principal, ResourceOwner } from '@watchword/protocol';

export function buildPrincipal(overrides: Partial<Principal> = {}): Principal {
  return { name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {}, ...overrides };
}

/** Somebody with a local account. */
export function buildResourceOwner(name = 'emma', authority = 'password'): ResourceOwner {
  return { authority, principal: buildPrincipal({ name }) };
}
