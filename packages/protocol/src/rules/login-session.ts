import type { Client } from '../model/records/client.ts';
import type { Grant } from '../model/records/grant.ts';
import type { LoginSession } from '../model/records/login-session.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { LoginSessionStore } from '../ports/stores/logins/login-session-store.ts';
import type { Clock } from '../ports/system/clock.ts';
import { isClientOfPages } from './built-in-records.ts';

export interface SessionValidity {
  readonly clock: Clock;
  /** Seconds without use after which a login session ends. */
  readonly sessionIdleLifetime: number;
}

export interface SessionLookup extends SessionValidity {
  readonly loginSessions: Pick<LoginSessionStore, 'find' | 'touch'>;
}

/** What a token has to do with the session of its login. */
interface TokenOfSession {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  readonly grant: Pick<Grant, 'authentication'> | undefined;
}

// The last use of a session is stored at most ten times in an idle lifetime, and not at every request.
const touchesPerIdleLifetime = 10;

/** Whether a session that is stored has passed all steps of its login, and has not expired. */
export function isValidSession(
  { authentication, expires, lastUsed }: Pick<LoginSession, 'authentication' | 'expires' | 'lastUsed'>,
  { clock, sessionIdleLifetime }: SessionValidity,
): boolean {
  const now = clock.now();
  return authentication.isPending !== true && expires > now && now - lastUsed < sessionIdleLifetime * 1000;
}

/** Stores that a session was used. */
export async function noteUse(
  { id, lastUsed }: Pick<LoginSession, 'id' | 'lastUsed'>,
  { clock, sessionIdleLifetime, loginSessions }: SessionLookup,
): Promise<void> {
  const now = clock.now();
  if (now - lastUsed < (sessionIdleLifetime * 1000) / touchesPerIdleLifetime) return;
  await loginSessions.touch(id, now);
}

/**
 * Whether a token has ended with its login session: one of the administration pages is valid only in the session in which it was issued,
 * because a person who logs out has left these pages too. The tokens of other clients, also of the command line, outlast a session.
 *
 * @param isUse whether the token is being used, and its session with it
 */
export async function hasEndedWithSession(
  { client, resourceServer, grant }: TokenOfSession,
  deps: SessionLookup,
  isUse = false,
): Promise<boolean> {
  const sessionId = grant?.authentication.sessionId;
  if (sessionId === undefined || !isClientOfPages(client, resourceServer)) return false;
  const session = await deps.loginSessions.find(sessionId);
  if (session === undefined || !isValidSession(session, deps)) return true;
  if (isUse) await noteUse(session, deps);
  return false;
}
