import type { Principal } from '@watchword/protocol';

/** A principal of which only the name is known. */
export function principalNamed(name: string, adminPrincipal: boolean): Principal {
  return { name, roles: [], groups: [], adminPrincipal, attributes: {} };
}
