import type {
  ClientRegistrationRecord,
  ClientRegistrationStore,
  InitialToken,
  InitialTokenStore,
} from '@watchword/protocol';

interface MemoryClientRegistrations {
  readonly clientRegistrations: ClientRegistrationStore;
  readonly initialTokens: InitialTokenStore;
  /** What a transaction can change. */
  readonly maps: readonly Map<unknown, unknown>[];
}

export function memoryClientRegistrations(): MemoryClientRegistrations {
  const registrations = new Map<number, ClientRegistrationRecord>();
  const tokens = new Map<string, InitialToken>();
  const change = (id: number, changed: Partial<ClientRegistrationRecord>) => {
    const known = registrations.get(id);
    if (known !== undefined) registrations.set(id, { ...known, ...changed });
  };
  return {
    maps: [registrations, tokens] as readonly Map<unknown, unknown>[],
    clientRegistrations: {
      find: async (id) => registrations.get(id),
      listIdle: async ({ usedBefore, after, limit }) =>
        [...registrations.values()]
          .filter(({ clientRecordId, lastUsed }) => lastUsed < usedBefore && clientRecordId > after)
          .toSorted((a, b) => a.clientRecordId - b.clientRecordId)
          .slice(0, limit),
      countUnused: async (most) =>
        Math.min(most, [...registrations.values()].filter(({ lastUsed }) => lastUsed === 0).length),
      create: async (registration) => void registrations.set(registration.clientRecordId, registration),
      update: async (id, changed) => change(id, changed),
      async markUsed(id, lastUsed) {
        if ((registrations.get(id)?.lastUsed ?? 0) < lastUsed) change(id, { lastUsed });
      },
      remove: async (id) => registrations.delete(id),
    },
    initialTokens: {
      find: async (id) => tokens.get(id),
      list: async ({ after = '', limit }) =>
        [...tokens.values()]
          .filter(({ id }) => id > after)
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit),
      create: async (token) => void tokens.set(token.id, token),
      async countClient(id) {
        const token = tokens.get(id);
        if (token === undefined || (token.maxClients > 0 && token.clients >= token.maxClients)) return false;
        tokens.set(id, { ...token, clients: token.clients + 1 });
        return true;
      },
      remove: async (id) => tokens.delete(id),
    },
  };
}
