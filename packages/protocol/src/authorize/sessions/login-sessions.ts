import { timingSafeEqual } from 'node:crypto';
import { subjectOf } from '../../keys/subject.ts';
import type { AuditEvent } from '../../model/audit-event.ts';
import type { LoginSession } from '../../model/login-session.ts';
import { identityOf } from '../../model/resource-owner.ts';
import type { Authenticated } from '../../ports/authentication-module.ts';
import type { Authenticators } from '../../ports/authenticators.ts';
import type { LoginSessionStore } from '../../ports/login-session-store.ts';
import type { Random } from '../../ports/random.ts';
import type { SessionClientStore } from '../../ports/session-client-store.ts';
import type { SessionLinkStore } from '../../ports/session-link-store.ts';
import type { OwnerDependencies } from '../../rules/configured-identity-provider.ts';
import { isValidSession, noteUse, type SessionValidity } from '../../rules/login-session.ts';
import { sha256 } from '../../rules/sha256.ts';
import { createBearerValue, parseBearerValue } from '../../tokens/bearer-value.ts';
import type { Browser } from '../browser.ts';
import { type EventOrigin, loginEvent } from './login-event.ts';
import { loginTime } from './login-time.ts';

export interface LoginSessionDependencies extends OwnerDependencies, SessionValidity {
  readonly loginSessions: LoginSessionStore;
  readonly sessionClients: Pick<SessionClientStore, 'move'>;
  readonly sessionLinks: SessionLinkStore;
  readonly random: Random;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** Seconds after which a session ends, even if it is used. */
  readonly sessionLifetime: number;
}

/** The two cookies of a session. A session needs both. */
export type SessionCookies = Pick<Browser, 'binding' | 'session'>;

/** A session, and the value of its cookie. The value is not stored. */
export interface StartedSession {
  readonly session: LoginSession;
  readonly value: string;
}

/** A login from which a session is made. */
export interface SessionLogin {
  /** What the authentication module returned about the owner. */
  readonly login: Omit<Authenticated, 'type'>;
  /** Name of the module. */
  readonly authenticator: string;
  readonly cookies: SessionCookies & { readonly binding: string };
  /** That the session gets, in place of a session of the same user with this id. Only a login without a link has one. */
  readonly id?: string | undefined;
  /** The user had to prove more than the session of the cookies says, and keeps it. */
  readonly isStepUp?: boolean;
}

/** A session that is not stored yet. */
export interface PreparedSession extends StartedSession, SessionLogin {
  /** The session of the cookies. */
  readonly previous: LoginSession | undefined;
}

/**
 * `login`: another login in the same browser. `account`: the account changed during the login. `identityProvider`: the owner
 * logged out at the identity provider.
 */
type EndedBy = 'login' | 'account' | 'identityProvider';

/**
 * Login sessions. During a session, the user does not log in again for another client. The cookie of a session is valid only
 * together with the binding cookie of the browser in which the owner logged in.
 */
export class LoginSessions {
  readonly #deps: LoginSessionDependencies;

  constructor(deps: LoginSessionDependencies) {
    this.#deps = deps;
  }

  /**
   * The valid session of the cookies. Its authentication module and the identity provider of its owner must be configured. If
   * it is unknown whether the identity provider is configured, the owner must log in.
   */
  async current(
    cookies: SessionCookies,
    authenticators: Pick<Authenticators, 'has'>,
  ): Promise<LoginSession | undefined> {
    const { identityProviders } = this.#deps;
    const session = await this.#find(cookies);
    if (session === undefined || !authenticators.has(session.authenticator)) return undefined;
    if (identityProviders.isConfigured(session.owner.identityProvider) !== true) return undefined;
    if (!isValidSession(session, this.#deps)) return undefined;
    await noteUse(session, this.#deps);
    return session;
  }

  /** A login whose session is stored at once: see {@link prepare} and {@link store}. */
  async start(
    login: SessionLogin['login'],
    authenticator: string,
    cookies: SessionLogin['cookies'],
    origin: EventOrigin,
    id?: string,
  ): Promise<StartedSession> {
    return this.store(await this.prepare({ login, authenticator, cookies, id }), origin);
  }

  /** A new session under a new id, bound to this browser. A step-up of the same user raises the session that is there. Nothing is stored. */
  async prepare(of: SessionLogin): Promise<PreparedSession> {
    const previous = await this.#find(of.cookies);
    const subject = this.#subjectOf(of);
    if (of.isStepUp === true && previous?.owner.subject === subject) {
      const { session, value } = this.#newSession(of, subject, previous.id);
      return {
        ...of,
        previous,
        value,
        session: { ...session, expires: previous.expires, ends: previous.ends },
      };
    }
    // With the id of the previous one the page was submitted again in the session that it has started.
    const isOwn = of.id !== previous?.id && of.login.link === undefined;
    return { ...of, previous, ...this.#newSession(of, subject, isOwn ? of.id : undefined) };
  }

  /**
   * Stores a session. It ends the previous session of the cookie, if there was one. If that is of the same user, its clients learn nothing
   * of its end, but of the end of the new session.
   *
   * @param origin client and network address, for the audit log
   */
  async store(prepared: PreparedSession, origin: EventOrigin): Promise<StartedSession> {
    const { loginSessions, sessionClients, sessionLinks } = this.#deps;
    const { session, value, login, previous } = prepared;
    const { link } = login;
    // Before the session: a session that cannot be ended from the identity provider must not exist.
    if (link !== undefined)
      await sessionLinks.insert({ ...link, sessionId: session.id, expires: session.expires });
    const event = this.#event('login', session, origin);
    const replaced = previous?.id === session.id ? undefined : previous;
    const goesOn = replaced?.owner.subject === session.owner.subject;
    const [isStored] = await Promise.all([
      loginSessions.insert(session, event),
      replaced && this.#delete(replaced, origin, 'login', goesOn),
    ]);
    // Another user has logged in by the same page: each of them has a session.
    if (!isStored) return this.store(await this.prepare({ ...prepared, id: undefined }), origin);
    // After its end, so that no client is stored with it any more.
    if (replaced !== undefined && goesOn) await sessionClients.move(replaced.id, session.id);
    if (link !== undefined && (await sessionLinks.find(session.id)) === undefined) {
      // The owner logged out at the identity provider before the session was stored.
      await this.#delete(session, origin, 'identityProvider');
    }
    return { session, value };
  }

  #subjectOf({ login, authenticator }: SessionLogin): string {
    const { principal, stableId, identityProvider = authenticator } = login;
    return subjectOf(this.#deps.subjectSecret, { identityProvider, stableId, name: principal.name });
  }

  #newSession(
    { login, authenticator, cookies: { binding } }: SessionLogin,
    subject: string,
    chosenId: string | undefined,
  ): StartedSession {
    const { clock, random, sessionLifetime } = this.#deps;
    const { principal, identityProvider = authenticator, amr, acr, claims } = login;
    const now = clock.now();
    const { value, id, verifierHash } = createBearerValue('session', now, random, undefined, chosenId);
    const session = {
      id,
      verifierHash: bound(verifierHash, binding),
      authenticator,
      owner: { identityProvider, subject, principal },
      authentication: {
        authenticatedAt: loginTime(login, now),
        ...(amr !== undefined && { amr }),
        ...(acr !== undefined && { acr }),
        ...(claims !== undefined && { claims }),
        sessionId: id,
        identityProvider,
      },
      creationDate: now,
      lastUsed: now,
      expires: now + sessionLifetime * 1000,
      ends: 0,
    };
    return { session, value };
  }

  /** The link to the session of the owner at the identity provider. */
  async linkOf({ id }: LoginSession): Promise<string | undefined> {
    return (await this.#deps.sessionLinks.find(id))?.data;
  }

  /** Ends the sessions whose link has the key and is selected by `isMeant`. Resolves with the number of sessions. */
  async endLinked(key: string, isMeant: (data: string) => boolean, origin: EventOrigin): Promise<number> {
    const { loginSessions, sessionLinks } = this.#deps;
    const meant = (await sessionLinks.findByKey(key)).filter(({ data }) => isMeant(data));
    const endOne = async (sessionId: string) => {
      const session = await loginSessions.find(sessionId);
      return session !== undefined && this.#delete(session, origin, 'identityProvider');
    };
    const ended = await Promise.all(
      meant.map(async ({ sessionId }) => {
        const isEnded = await endOne(sessionId);
        await sessionLinks.delete(sessionId);
        // A session that is stored at the same time still finds its link.
        return isEnded || endOne(sessionId);
      }),
    );
    return ended.filter(Boolean).length;
  }

  /** `false` if there was no session. @param by the cause, if the owner did not end the session */
  async end(cookies: SessionCookies, origin: EventOrigin, by?: EndedBy): Promise<boolean> {
    const session = await this.#find(cookies);
    return session !== undefined && this.#delete(session, origin, by);
  }

  #delete(session: LoginSession, origin: EventOrigin, by?: EndedBy, goesOn = false): Promise<boolean> {
    const { loginSessions, clock } = this.#deps;
    const now = clock.now();
    // A session that had ended already is removed without a logout in the audit log.
    const event = isValidSession(session, this.#deps)
      ? this.#event('logout', session, origin, by)
      : undefined;
    return loginSessions.delete(session.id, { now, event, goesOn });
  }

  #event(
    action: 'login' | 'logout',
    { id, owner }: LoginSession,
    origin: EventOrigin,
    by?: EndedBy,
  ): AuditEvent {
    const recordName = owner.principal.name;
    const record = { recordType: 'loginSession', recordId: id, recordName } as const;
    const done = { action, ...record, ...(by !== undefined && { after: { endedBy: by } }) };
    return loginEvent(identityOf(owner), origin, done, this.#deps);
  }

  async #find({ session: cookie, binding }: SessionCookies): Promise<LoginSession | undefined> {
    if (cookie === undefined || binding === undefined) return undefined;
    const presented = parseBearerValue('session', cookie);
    if (presented === undefined) return undefined;
    const session = await this.#deps.loginSessions.find(presented.id);
    const verifierHash = bound(presented.verifierHash, binding);
    return session && timingSafeEqual(session.verifierHash, verifierHash) ? session : undefined;
  }
}

function bound(verifierHash: Uint8Array, binding: string): Uint8Array {
  return sha256(Buffer.concat([verifierHash, sha256(binding)]));
}
