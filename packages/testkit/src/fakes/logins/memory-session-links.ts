import type { SessionLink, SessionLinkStore } from '@watchword/protocol';

export function memorySessionLinks(): SessionLinkStore {
  const links = new Map<string, SessionLink>();
  return {
    async insert(link) {
      links.set(link.sessionId, link);
    },
    find: async (sessionId) => links.get(sessionId),
    findByKey: async (key) => [...links.values()].filter((link) => link.key === key),
    async delete(sessionId) {
      links.delete(sessionId);
    },
  };
}
