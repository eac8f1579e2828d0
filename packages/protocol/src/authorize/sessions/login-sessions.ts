import type { AuditEvent } from '../../model/records/audit-event.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { Authenticators } from '../../ports/modules/authenticators.ts';
import type { LoginSessionStore } from '../../ports/stores/logins/login-session-store.ts';
import type { SessionClientStore } from '../../ports/stores/logins/session-client-store.ts';
import type { SessionLink, SessionLinkStore } from '../../ports/stores/logins/session-link-store.ts';
import type { CredentialStore } from '../../ports/stores/people/credential-store.ts';
import type { OwnerDependencies } from '../../rules/configured-identity-provider.ts';
import { isValidSession, noteUse, type SessionValidity } from '../../rules/login-session.ts';
import type { LoginStrength } from '../../rules/login-strength.ts';
import { type Factor, withFactors } from './factor.ts';
import { type EndedBy, type EventOrigin, sessionEvent } from './login-event.ts';
import {
  findSession,
  newSession,
  type PreparedSession,
  type SessionCookies,
  type SessionLogin,
  type StartedSession,
  subjectOfLogin,
  withNewValue,
} from './new-session.ts';

export interface LoginSessionDependencies extends OwnerDependencies, SessionValidity {
  readonly loginSessions: LoginSessionStore;
  readonly credentials: Pick<CredentialStore, 'deleteBySubject'>;
  readonly sessionClients: Pick<SessionClientStore, 'move'>;
  readonly sessionLinks: SessionLinkStore;
  readonly random: Random;
  readonly strength: LoginStrength;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** Seconds after which a session ends, even if it is used. */
  readonly sessionLifetime: number;
}

/** A session that is stored, and what was proved in it. */
interface ProvedSession {
  readonly session: LoginSession;
  /** The cookie value of one that has waited for this. */
  readonly held?: string | undefined;
  readonly factors?: readonly Factor[] | undefined;
}

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

  /** A new session under a new id, bound to this browser. A step-up raises the session that is there, which ends no later. Nothing is stored. */
  async prepare(of: SessionLogin): Promise<PreparedSession> {
    const { isStepUp = false, begunIn } = of;
    const previous = await this.#find(of.cookies);
    const subject = subjectOfLogin(of, this.#deps);
    const there =
      previous ?? (isStepUp && begunIn !== undefined && (await this.#deps.loginSessions.find(begunIn)));
    if (isStepUp && there && this.#isOf(there, subject)) {
      const { session, value } = newSession(of, subject, there.id, this.#deps);
      const { expires, ends } = there;
      return { ...of, previous: there, value, session: { ...session, expires, ends } };
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
    if (previous?.id === session.id) {
      // It has ended meanwhile, and the login has not.
      if (!(await this.#raised(session, origin)))
        return this.store(await this.prepare({ ...prepared, isStepUp: false, id: undefined }), origin);
    } else {
      const goesOn = previous?.owner.subject === session.owner.subject;
      const [isStored] = await Promise.all([
        loginSessions.insert(session, this.#event('login', session, origin)),
        previous && this.#delete(previous, origin, 'login', goesOn),
      ]);
      // Another user has logged in by the same page: each of them has a session.
      if (!isStored) return this.store(await this.prepare({ ...prepared, id: undefined }), origin);
      // After its end, so that no client is stored with it any more.
      if (previous !== undefined && goesOn) await sessionClients.move(previous.id, session.id);
    }
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
   * The session with what was proved since, under a new cookie value. One that waited for this is valid from now on: it raises the session of
   * the cookies, or ends that of another user as {@link store} does. `undefined`, and nothing is stored, if the session, or access of its owner,
   * has ended meanwhile.
   */
  async raise(
    { session, held, factors = [] }: ProvedSession,
    cookies: SessionLogin['cookies'],
    origin: EventOrigin,
  ): Promise<StartedSession | undefined> {
    const { clock, loginSessions, sessionClients, sessionLifetime } = this.#deps;
    const isPending = session.authentication.isPending === true;
    const authentication = withFactors(session.authentication, factors);
    const proved = {
      ...session,
      authentication,
      lastUsed: clock.now(),
      // An end that was counted while the login had steps left has ended the login.
      ...(isPending && { ends: 0, expires: session.creationDate + sessionLifetime * 1000 }),
    };
    // A page that was sent twice leads to the value that the browser has got.
    const raised =
      held === undefined
        ? withNewValue(proved, cookies.binding, this.#deps)
        : { session: proved, value: held };
    const found = isPending ? await this.#find(cookies) : undefined;
    const previous = found?.id === session.id ? undefined : found;
    if (previous !== undefined && this.#isOf(previous, session.owner.subject)) {
      // Changes nothing, and fails if the login has ended.
      if (!(await loginSessions.raise({ ...session, ends: 0 }))) return undefined;
      const merged = await this.#merged(raised.session, previous, cookies.binding, origin);
      if (merged !== undefined) return merged;
    }
    if (!(await this.#raised(raised.session, origin))) return undefined;
    if (previous === undefined) return raised;
    const goesOn = previous.owner.subject === session.owner.subject;
    await this.#delete(previous, origin, 'login', goesOn);
    if (goesOn) await sessionClients.move(previous.id, session.id);
    return raised;
  }

  /** The session that is there goes on, as the login that has waited beside it. `undefined` if it has ended. */
  async #merged(
    waited: LoginSession,
    { id, expires, ends }: LoginSession,
    binding: string,
    origin: EventOrigin,
  ): Promise<StartedSession | undefined> {
    const { sessionLinks } = this.#deps;
    const authentication = { ...waited.authentication, sessionId: id };
    const merged = withNewValue({ ...waited, id, expires, ends, authentication }, binding, this.#deps);
    const link = await sessionLinks.find(waited.id);
    if (link !== undefined) await sessionLinks.insert({ ...link, sessionId: id, expires });
    if (!(await this.#raised(merged.session, origin))) return undefined;
    await Promise.all([this.#delete(waited, origin, 'login', true), sessionLinks.delete(waited.id)]);
    await this.#endUnlinked(merged.session, link, origin);
    return merged;
  }

  #raised(session: LoginSession, origin: EventOrigin): Promise<boolean> {
    return this.#deps.loginSessions.raise(session, this.#event('login', session, origin));
  }

  /** Whether a login of the user can raise the session. */
  #isOf(session: LoginSession, subject: string): boolean {
    return session.owner.subject === subject && isValidSession(session, this.#deps);
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

  /** Ends all sessions of the owner but this one, also those whose login has steps left, and the trust in browsers. */
  async endOthers({ id, owner: { subject } }: LoginSession, origin: EventOrigin): Promise<void> {
    const { credentials, loginSessions } = this.#deps;
    const next = (before?: string) =>
      loginSessions.list({ subject, limit: sessionsAtOnce, ...(before !== undefined && { before }) });
    for (let some = await next(); some.length > 0; some = await next(some.at(-1)?.id)) {
      const others = some.filter((session) => session.id !== id);
      await Promise.all(others.map((session) => this.#delete(session, origin)));
    }
    await credentials.deleteBySubject(subject, ['trusted_browser']);
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

  #event(action: 'login' | 'logout', session: LoginSession, origin: EventOrigin, by?: EndedBy): AuditEvent {
    return sessionEvent(action, session, origin, this.#deps, by);
  }

  #find(cookies: SessionCookies): Promise<LoginSession | undefined> {
    return findSession(cookies, this.#deps);
  }
}
