import { timingSafeEqual } from 'node:crypto';
import { subjectOf } from '../../keys/subject.ts';
import { strongest } from '../../model/login-level.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { Authenticated } from '../../ports/modules/authentication-module.ts';
import type { LoginSessionStore } from '../../ports/stores/logins/login-session-store.ts';
import type { Clock } from '../../ports/system/clock.ts';
import { type LoginStrength, levelOfProvider } from '../../rules/login-strength.ts';
import { sha256 } from '../../rules/sha256.ts';
import { createBearerValue, parseBearerValue } from '../../tokens/bearer-value.ts';
import type { Browser } from '../browser.ts';
import { deviceOf } from './device.ts';
import type { Factor } from './factor.ts';
import { loginTime } from './login-time.ts';

/** The two cookies of a session. A session needs both. A new one also stores where it comes from. */
export type SessionCookies = Pick<Browser, 'binding' | 'session'> &
  Partial<Pick<Browser, 'source' | 'userAgent'>>;

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
  /** A valid session of the same user in this browser goes on, as this login. */
  readonly isStepUp?: boolean;
  /** The session in which the login was begun: the cookies name another value of it by now if its page was submitted twice. */
  readonly begunIn?: string | undefined;
  /** What was proved after the login. */
  readonly factors?: readonly Factor[];
}

/** A session that is not stored yet. */
export interface PreparedSession extends StartedSession, SessionLogin {
  /** The session of the cookies. */
  readonly previous: LoginSession | undefined;
}

interface NewSessionDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly strength: LoginStrength;
  /** Seconds. */
  readonly sessionLifetime: number;
}

/** The subject of the user who has logged in. */
export function subjectOfLogin(
  { login, authenticator }: SessionLogin,
  { subjectSecret }: { readonly subjectSecret: Uint8Array },
): string {
  const { principal, stableId, identityProvider = authenticator } = login;
  return subjectOf(subjectSecret, { identityProvider, stableId, name: principal.name });
}

/** @param chosenId default: a new one */
export function newSession(
  { login, authenticator, cookies: { binding, source = '', userAgent } }: SessionLogin,
  subject: string,
  chosenId: string | undefined,
  { clock, random, sessionLifetime, strength }: NewSessionDependencies,
): StartedSession {
  const { principal, identityProvider = authenticator, amr, acr, claims, mustReplacePassword } = login;
  const now = clock.now();
  const level = strongest([login.level, levelOfProvider(authenticator, login, strength)]);
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
      ...(level !== 'sfa' && { level }),
      ...(claims !== undefined && { claims }),
      ...(mustReplacePassword && { mustReplacePassword }),
      sessionId: id,
      identityProvider,
    },
    creationDate: now,
    source,
    device: deviceOf(userAgent),
    lastUsed: now,
    expires: now + sessionLifetime * 1000,
    ends: 0,
  };
  return { session, value };
}

/** The session with another cookie value: a copy of the one before is worth nothing any more. */
export function withNewValue(
  session: LoginSession,
  binding: string,
  { clock, random }: Pick<NewSessionDependencies, 'clock' | 'random'>,
): StartedSession {
  const made = createBearerValue('session', clock.now(), random, undefined, session.id);
  return { session: { ...session, verifierHash: bound(made.verifierHash, binding) }, value: made.value };
}

/** The session of the cookies, valid or not. */
export async function findSession(
  { session: cookie, binding }: Pick<SessionCookies, 'session' | 'binding'>,
  { loginSessions }: { readonly loginSessions: Pick<LoginSessionStore, 'find'> },
): Promise<LoginSession | undefined> {
  const presented = cookie === undefined ? undefined : parseBearerValue('session', cookie);
  if (presented === undefined || binding === undefined) return undefined;
  const session = await loginSessions.find(presented.id);
  const verifierHash = bound(presented.verifierHash, binding);
  return session && timingSafeEqual(session.verifierHash, verifierHash) ? session : undefined;
}

/** The digest by which a session is found valid in one browser. */
function bound(verifierHash: Uint8Array, binding: string): Uint8Array {
  return sha256(Buffer.concat([verifierHash, sha256(binding)]));
}
