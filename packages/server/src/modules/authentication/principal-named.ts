import type { Principal } from '@watchword/protocol';

/** A principal of whom nothing is known but the name. */
export function principalNamed(name: string, adminPrincipal: boolean): Principal {
  return { name, roles: [], groups: [], adminPrincipal, attributes: {} };
}
