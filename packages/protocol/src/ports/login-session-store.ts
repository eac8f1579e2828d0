import type { AuditEvent } from '../model/audit-event.ts';
import type { LoginSession } from '../model/login-session.ts';

/** Stores login sessions. */
export interface LoginSessionStore {
  /** @param event its entry in the audit log, stored with it or not at all */
  insert(session: LoginSession, event?: AuditEvent): Promise<void>;
  find(id: string): Promise<LoginSession | undefined>;
  /** Whether `find` would find the session. */
  has(id: string): Promise<boolean>;
  /** Stores that the session was used. */
  touch(id: string, now: number): Promise<void>;
  /** `false`, and no event stored, when there was none. */
  delete(id: string, event?: AuditEvent): Promise<boolean>;
}
