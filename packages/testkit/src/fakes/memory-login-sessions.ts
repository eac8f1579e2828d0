import type { LoginSession, LoginSessionStore } from '@watchword/protocol';

/** @param sessions where the sessions lie, by id */
export function memoryLoginSessions(sessions: Map<string, LoginSession>): LoginSessionStore {
  return {
    async insert(session) {
      sessions.set(session.id, session);
    },
    find: async (id) => sessions.get(id),
    has: async (id) => sessions.has(id),
    async touch(id, now) {
      const session = sessions.get(id);
      if (session === undefined) return;
      sessions.set(id, { ...session, lastUsed: Math.max(session.lastUsed, now) });
    },
    delete: async (id) => sessions.delete(id),
  };
}
