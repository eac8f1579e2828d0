import { timingSafeEqual } from 'node:crypto';
import type { LoginSession } from '../model/login-session.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import type { Clock } from '../ports/clock.ts';
import type { LoginSessionStore } from '../ports/login-session-store.ts';
import type { Random } from '../ports/random.ts';
import { createBearerValue, parseBearerValue } from '../tokens/bearer-value.ts';

export interface LoginSessionDependencies {
  readonly loginSessions: LoginSessionStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Seconds without use after which a session ends. */
  readonly sessionIdleLifetime: number;
  /** Seconds after which it ends however much it is used. */
  readonly sessionLifetime: number;
}

/** A session, and the value of the cookie that is handed out once. */
export interface StartedSession {
  readonly session: LoginSession;
  readonly value: string;
}

// Use is written down at a tenth of the idle lifetime, not at every request.
const touchesPerIdleLifetime = 10;

/** Login sessions: what makes that a second client does not ask the password again. */
export class LoginSessions {
  readonly #world: LoginSessionDependencies;

  constructor(world: LoginSessionDependencies) {
    this.#world = world;
  }

  /** The session that the cookie stands for, while it lives and came from the same authentication module. */
  async current(cookie: string | undefined, authenticator: string): Promise<LoginSession | undefined> {
    const { loginSessions, clock, sessionIdleLifetime } = this.#world;
    const session = await this.#find(cookie);
    if (session === undefined || session.authenticator !== authenticator) return undefined;
    const now = clock.now();
    const idle = sessionIdleLifetime * 1000;
    if (session.expires <= now || now - session.lastUsed >= idle) return undefined;
    if (now - session.lastUsed >= idle / touchesPerIdleLifetime) await loginSessions.touch(session.id, now);
    return session;
  }

  /** A new session under a new id; that of the cookie before, if there was one, is dead. */
  async start(
    owner: ResourceOwner,
    authenticator: string,
    cookieBefore: string | undefined,
  ): Promise<StartedSession> {
    const { loginSessions, clock, random, sessionLifetime } = this.#world;
    const now = clock.now();
    const { value, id, verifierHash } = createBearerValue('session', now, random);
    const expires = now + sessionLifetime * 1000;
    const session = { id, verifierHash, authenticator, owner, authenticatedAt: now, lastUsed: now, expires };
    await Promise.all([loginSessions.insert(session), this.end(cookieBefore)]);
    return { session, value };
  }

  /** Whether nothing has ended the session since it was found or started. */
  async isStored({ id }: LoginSession): Promise<boolean> {
    return (await this.#world.loginSessions.find(id)) !== undefined;
  }

  /** `false` when there was none. */
  async end(cookie: string | undefined): Promise<boolean> {
    const session = await this.#find(cookie);
    return session !== undefined && this.#world.loginSessions.delete(session.id);
  }

  async #find(cookie: string | undefined): Promise<LoginSession | undefined> {
    const presented = cookie === undefined ? undefined : parseBearerValue('session', cookie);
    const session = presented && (await this.#world.loginSessions.find(presented.id));
    return session && timingSafeEqual(session.verifierHash, presented.verifierHash) ? session : undefined;
  }
}
