import type { LoginSession } from '../model/login-session.ts';

/** Where login sessions live. */
export interface LoginSessionStore {
  insert(session: LoginSession): Promise<void>;
  find(id: string): Promise<LoginSession | undefined>;
  /** Whether it would be found. */
  has(id: string): Promise<boolean>;
  /** Notes that the session was used. */
  touch(id: string, now: number): Promise<void>;
  /** `false` when there was none. */
  delete(id: string): Promise<boolean>;
}
