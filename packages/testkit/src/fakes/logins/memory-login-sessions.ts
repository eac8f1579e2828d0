import {
  type AuditEvent,
  identityOf,
  isSameIdentity,
  type LoginSession,
  type LoginSessionStore,
} from '@watchword/protocol';
import type { HeldSessions, MemoryGrants } from '../grants/memory-grants.ts';
import type { MemorySessionClients } from './memory-session-clients.ts';

/** How grants depend on sessions. @param sessions login sessions, by id */
export function heldSessions(sessions: Map<string, LoginSession>): HeldSessions {
  return {
    isHeld: (session) => session === undefined || sessions.get(session.id)?.ends === session.ends,
    countEnd(subject) {
      for (const [id, session] of sessions) {
        if (session.owner.subject === subject) sessions.set(id, { ...session, ends: session.ends + 1 });
      }
    },
  };
}

/**
 * @param sessions login sessions, by id
 * @param events the audit log
 */
export function memoryLoginSessions(
  sessions: Map<string, LoginSession>,
  events: AuditEvent[],
  clients: Pick<MemorySessionClients, 'end'>,
  { stored }: Pick<MemoryGrants, 'stored'>,
): LoginSessionStore {
  return {
    async insert(session, event) {
      const { subject } = session.owner;
      if ((sessions.get(session.id)?.owner.subject ?? subject) !== subject) return false;
      sessions.set(session.id, session);
      if (event !== undefined) events.push(event);
      return true;
    },
    async raise(session, event) {
      if (sessions.get(session.id)?.ends !== session.ends) return false;
      sessions.set(session.id, session);
      if (event !== undefined) events.push(event);
      return true;
    },
    find: async (id) => sessions.get(id),
    list: async ({ owner, subject, before, limit }) =>
      [...sessions.values()]
        .filter((session) => owner === undefined || isSameIdentity(identityOf(session.owner), owner))
        .filter((session) => subject === undefined || session.owner.subject === subject)
        .filter(({ id }) => before === undefined || id < before)
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
    async listGranted(clientRecordId, users) {
      const granted = stored().filter(
        ({ grant }) =>
          grant.clientRecordId === clientRecordId &&
          users.some((user) => isSameIdentity(user, identityOf(grant.owner))),
      );
      const ids = granted.map(({ grant }) => grant.authentication.sessionId);
      return new Set(ids.filter((id) => id !== undefined));
    },
    async touch(id, now) {
      const session = sessions.get(id);
      if (session === undefined) return;
      sessions.set(id, { ...session, lastUsed: Math.max(session.lastUsed, now) });
    },
    async delete(id, { now, event, goesOn = false }) {
      const isDeleted = sessions.delete(id);
      if (isDeleted && !goesOn) clients.end(id, now);
      if (isDeleted && event !== undefined) events.push(event);
      return isDeleted;
    },
  };
}
