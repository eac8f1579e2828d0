import { timingSafeEqual } from 'node:crypto';
import { subjectInEvent } from '../../keys/subject.ts';
import type { AuditEvent } from '../../model/records/audit-event.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import { identityOf } from '../../model/resource-owner.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { Authenticators } from '../../ports/modules/authenticators.ts';
import type { LoginSessionStore } from '../../ports/stores/login-session-store.ts';
import type { SessionClientStore } from '../../ports/stores/session-client-store.ts';
import type { SessionLink, SessionLinkStore } from '../../ports/stores/session-link-store.ts';
import type { OwnerDependencies } from '../../rules/configured-identity-provider.ts';
import { isValidSession, noteUse, type SessionValidity } from '../../rules/login-session.ts';
import type { LoginStrength } from '../../rules/login-strength.ts';
import { parseBearerValue } from '../../tokens/bearer-value.ts';
import { type Factor, withFactors } from './factor.ts';
import { type EventOrigin, loginEvent } from './login-event.ts';
import {
  bound,
  newSession,
  type PreparedSession,
  type SessionCookies,
  type SessionLogin,
  type StartedSession,
  subjectOfLogin,
} from './new-session.ts';

export interface LoginSessionDependencies extends OwnerDependencies, SessionValidity {
  readonly loginSessions: LoginSessionStore;
  readonly sessionClients: Pick<SessionClientStore, 'move'>;
  readonly sessionLinks: SessionLinkStore;
  readonly random: Random;
  readonly strength: LoginStrength;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** Seconds after which a session ends, even if it is used. */
  readonly sessionLifetime: number;
}

/**
 * `login`: another login in the same browser. `account`: the account changed during the login. `identityProvider`: the owner
 * logged out at the identity provider.
 */
type EndedBy = 'login' | 'account' | 'identityProvider';

// Each is a row to delete, and logout deliveries.
const sessionsAtOnce = 50;

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
    const session = await this.#ofConfigured(cookies, authenticators);
    if (session === undefined || !isValidSession(session, this.#deps)) return undefined;
    await noteUse(session, this.#deps);
    return session;
  }

  /** The session that waits for the steps of its login, or has passed them already. @param value that a page has sealed */
  async held(
    value: string,
    { binding }: SessionCookies,
    authenticators: Pick<Authenticators, 'has'>,
  ): Promise<LoginSession | undefined> {
    const session = await this.#ofConfigured({ session: value, binding }, authenticators);
    return session !== undefined && session.expires > this.#deps.clock.now() ? session : undefined;
  }

  async #ofConfigured(cookies: SessionCookies, authenticators: Pick<Authenticators, 'has'>) {
    const session = await this.#find(cookies);
    if (session === undefined || !authenticators.has(session.authenticator)) return undefined;
    const { identityProvider } = session.owner;
    return this.#deps.identityProviders.isConfigured(identityProvider) === true ? session : undefined;
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
    const subject = subjectOfLogin(of, this.#deps);
    if (of.isStepUp === true && previous?.owner.subject === subject) {
      const { session, value } = newSession(of, subject, previous.id, this.#deps);
      return {
        ...of,
        previous,
        value,
        session: { ...session, expires: previous.expires, ends: previous.ends },
      };
    }
    // With the id of the previous one the page was submitted again in the session that it has started.
    const isOwn = of.id !== previous?.id && of.login.link === undefined;
    return { ...of, previous, ...newSession(of, subject, isOwn ? of.id : undefined, this.#deps) };
  }

  /**
   * Stores a session. It ends the previous session of the cookie, if there was one. If that is of the same user, its clients learn nothing
   * of its end, but of the end of the new session.
   *
   * @param origin client and network address, for the audit log
   */
  async store(prepared: PreparedSession, origin: EventOrigin): Promise<StartedSession> {
    const { loginSessions, sessionClients, sessionLinks } = this.#deps;
    const { value, login, previous, factors = [] } = prepared;
    const session =
      factors.length === 0
        ? prepared.session
        : { ...prepared.session, authentication: withFactors(prepared.session.authentication, factors) };
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
    await this.#endUnlinked(session, link, origin);
    return { session, value };
  }

  /**
   * Stores a session that is not valid yet: its login has steps left. It ends by whatever ends sessions, and the session of the cookies goes
   * on meanwhile. The browser does not get its value.
   *
   * @param until epoch milliseconds: when it ends if its login has not come to its end
   */
  async hold(prepared: PreparedSession, until: number, origin: EventOrigin): Promise<StartedSession> {
    const { login, previous } = prepared;
    const { session, value } =
      prepared.session.id === previous?.id ? await this.prepare({ ...prepared, isStepUp: false }) : prepared;
    const authentication = { ...session.authentication, isPending: true } as const;
    const held = { ...session, authentication, expires: until };
    if (login.link !== undefined)
      await this.#deps.sessionLinks.insert({ ...login.link, sessionId: held.id, expires: session.expires });
    const isStored = await this.#deps.loginSessions.insert(held);
    if (!isStored) return this.hold(await this.prepare({ ...prepared, id: undefined }), until, origin);
    await this.#endUnlinked(held, login.link, origin);
    return { session: held, value };
  }

  /** Ends a session that was just stored, if its owner has logged out at the identity provider before that. */
  async #endUnlinked(session: LoginSession, link: object | undefined, origin: EventOrigin): Promise<void> {
    if (link !== undefined && (await this.linkOf(session)) === undefined)
      await this.#delete(session, origin, 'identityProvider');
  }

  /**
   * The session with what was proved since. One that waited for this is valid from now on, and ends the session of the cookies as
   * {@link store} does. `undefined`, and nothing is stored, if the session, or access of its owner, has ended meanwhile.
   */
  async raise(
    session: LoginSession,
    factors: readonly Factor[],
    cookies: SessionCookies,
    origin: EventOrigin,
  ): Promise<LoginSession | undefined> {
    const { clock, loginSessions, sessionClients, sessionLifetime } = this.#deps;
    const isPending = session.authentication.isPending === true;
    if (!isPending && factors.length === 0) return session;
    const raised = {
      ...session,
      authentication: withFactors(session.authentication, factors),
      lastUsed: clock.now(),
      // An end that was counted while the login had steps left has ended the login.
      ...(isPending && { ends: 0, expires: session.creationDate + sessionLifetime * 1000 }),
    };
    const previous = isPending ? await this.#find(cookies) : undefined;
    if (!(await loginSessions.raise(raised, this.#event('login', raised, origin)))) return undefined;
    if (previous === undefined || previous.id === session.id) return raised;
    const goesOn = previous.owner.subject === session.owner.subject;
    await this.#delete(previous, origin, 'login', goesOn);
    if (goesOn) await sessionClients.move(previous.id, session.id);
    return raised;
  }

  /** The link to the session of the owner at the identity provider. */
  linkOf({ id }: LoginSession): Promise<SessionLink | undefined> {
    return this.#deps.sessionLinks.find(id);
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

  /** Valid sessions of the owner of this one, the newest first. */
  async ofOwner({ owner: { subject } }: LoginSession, limit: number): Promise<LoginSession[]> {
    const sessions = await this.#deps.loginSessions.list({ subject, limit });
    return sessions.filter((session) => isValidSession(session, this.#deps));
  }

  /** Ends another session of the owner of this one. `false` if the owner has no such session. */
  async endOther({ owner }: LoginSession, id: string, origin: EventOrigin): Promise<boolean> {
    const session = await this.#deps.loginSessions.find(id);
    return session?.owner.subject === owner.subject && this.#delete(session, origin);
  }

  /** Ends all sessions of the owner but this one, also those whose login has steps left. */
  async endOthers({ id, owner: { subject } }: LoginSession, origin: EventOrigin): Promise<void> {
    const { loginSessions } = this.#deps;
    const next = (before?: string) =>
      loginSessions.list({ subject, limit: sessionsAtOnce, ...(before !== undefined && { before }) });
    for (let some = await next(); some.length > 0; some = await next(some.at(-1)?.id)) {
      const others = some.filter((session) => session.id !== id);
      await Promise.all(others.map((session) => this.#delete(session, origin)));
    }
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
    const ofSubject = subjectInEvent(this.#deps.subjectSecret, owner);
    const after = by === undefined ? ofSubject : { endedBy: by, ...ofSubject };
    const recordName = owner.principal.name;
    const record = { recordType: 'loginSession', recordId: id, recordName } as const;
    const done = { action, ...record, after };
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
