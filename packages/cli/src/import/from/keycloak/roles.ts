import type { JsonObject } from '@watchword/protocol';
import { objectOf, objectsOf, textOf, textsOf } from '../json-values.ts';

/** What users have by their groups and by other roles. A role of a client is named `client:role`. */
export interface Roles {
  /** The roles that a user, or a group, names, with those that they contain. */
  of(given: JsonObject): string[];
  /** The roles of the groups, named by their paths. */
  ofGroups(paths: readonly string[]): string[];
}

/** Roles that Keycloak gives to everybody, for itself. */
function isBuiltIn(name: string, realm: string): boolean {
  return name === `default-roles-${realm}` || name === 'offline_access' || name === 'uma_authorization';
}

/** @param ownClients clients of Keycloak, whose roles have no meaning elsewhere */
export function rolesOf(realm: JsonObject, ownClients: readonly string[]): Roles {
  const composites = compositesOf(objectOf(realm.roles));
  const groups = new Map<string, readonly string[]>();

  const withComposites = (names: readonly string[]) => {
    const all = new Set<string>();
    const waiting = [...names];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (all.has(name)) continue;
      all.add(name);
      waiting.push(...(composites.get(name) ?? []));
    }
    return [...all].filter(
      (name) =>
        !isBuiltIn(name, textOf(realm.realm)) && !ownClients.some((client) => name.startsWith(`${client}:`)),
    );
  };

  const add = (group: JsonObject, inherited: readonly string[]) => {
    const own = [...inherited, ...namedBy(group)];
    groups.set(textOf(group.path), own);
    for (const child of objectsOf(group.subGroups)) add(child, own);
  };
  for (const group of objectsOf(realm.groups)) add(group, []);

  return {
    of: (given) => withComposites(namedBy(given)),
    ofGroups: (paths) => withComposites(paths.flatMap((path) => groups.get(path) ?? [])),
  };
}

/** The roles that a user or a group names itself. */
export function namedBy({ realmRoles, clientRoles }: JsonObject): string[] {
  return [...textsOf(realmRoles), ...ofClients(clientRoles)];
}

function compositesOf({ realm, client }: JsonObject): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, { composites }: JsonObject) => {
    const contained = objectOf(composites);
    const names = [...textsOf(contained.realm), ...ofClients(contained.client)];
    if (names.length > 0) found.set(name, names);
  };
  for (const role of objectsOf(realm)) add(textOf(role.name), role);
  for (const [clientId, roles] of Object.entries(objectOf(client))) {
    for (const role of objectsOf(roles)) add(`${clientId}:${textOf(role.name)}`, role);
  }
  return found;
}

function ofClients(given: unknown): string[] {
  return Object.entries(objectOf(given)).flatMap(([clientId, roles]) =>
    textsOf(roles).map((role) => `${clientId}:${role}`),
  );
}
