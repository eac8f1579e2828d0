import type { AuthenticatorOrigin, AuthenticatorStore, StoredAuthenticator } from '@watchword/protocol';

interface MemoryAuthenticators extends AuthenticatorStore {
  /** What a transaction can change. */
  readonly maps: readonly Map<unknown, unknown>[];
}

export function memoryAuthenticators(): MemoryAuthenticators {
  const stored = new Map<string, StoredAuthenticator>();
  const names = new Map<string, AuthenticatorOrigin>();
  let revision = 0;
  return {
    maps: [stored, names],
    heads: async () =>
      [...stored.values()]
        .toSorted((a, b) => a.creationDate - b.creationDate || (a.name < b.name ? -1 : 1))
        .map((each) => ({ name: each.name, revision: each.revision })),
    find: async (name) => stored.get(name),
    names: async () =>
      [...names].map(([name, origin]) => ({ name, origin })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    async insert(authenticator) {
      if (names.has(authenticator.name)) return false;
      names.set(authenticator.name, 'database');
      revision += 1;
      stored.set(authenticator.name, { ...authenticator, revision });
      return true;
    },
    async update({ name, label, enabled, settings, modificationDate }) {
      const before = stored.get(name);
      if (before === undefined) return;
      revision += 1;
      stored.set(name, { ...before, label, enabled, settings, modificationDate, revision });
    },
    async remove(name) {
      stored.delete(name);
    },
    async useNames(used) {
      for (const name of used) if (!names.has(name)) names.set(name, 'configuration');
    },
  };
}
