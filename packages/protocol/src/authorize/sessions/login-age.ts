import type { LoginSession } from '../../model/login-session.ts';
import type { Authenticated } from '../../ports/authentication-module.ts';
import { clockTolerance } from '../auth-state.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';

/** What a client says about the age of a login (OpenID Connect Core §3.1.2.1). */
type AskedAge = Pick<AuthorizationRequest, 'prompt' | 'maxAge'>;

/**
 * Epoch milliseconds of a login, as the module says: of the login at the identity provider where that was before. Without a word
 * of the module it is now, and it is never later than now, whatever the clock of the identity provider says: a login that
 * seemed to lie ahead would satisfy `max_age` for longer than it may.
 */
export function loginTime({ authenticatedAt }: Pick<Authenticated, 'authenticatedAt'>, now: number): number {
  return Math.min(authenticatedAt ?? now, now);
}

/**
 * Whether the session is older than the client accepts, so that the resource owner must log in again. The age is that of the
 * login, not of the session: an identity provider can vouch now for a login of hours ago.
 */
export function needsNewLogin(
  { authentication }: LoginSession,
  { prompt, maxAge }: AskedAge,
  now: number,
): boolean {
  return (
    prompt.includes('login') ||
    (maxAge !== undefined && now - authentication.authenticatedAt >= maxAge * 1000)
  );
}

/**
 * Whether a login that the module has just returned is older than the client accepts: the module was told to ask for a new login
 * and returned one that the resource owner had elsewhere. The way back from an identity provider takes time, and clocks
 * differ: both are allowed for with {@link clockTolerance}.
 */
export function isStaleLogin(authenticatedAt: number, { prompt, maxAge }: AskedAge, now: number): boolean {
  if (maxAge === undefined && !prompt.includes('login')) return false;
  const accepted = prompt.includes('login') ? 0 : (maxAge ?? 0);
  return now - authenticatedAt > (accepted + clockTolerance) * 1000;
}
