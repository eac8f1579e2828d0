import type { LoginSession } from '../model/records/login-session.ts';
import { isAdministration } from '../rules/built-in-records.ts';
import { clockTolerance } from './auth-state.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import type { RestartReason } from './restart-reason.ts';

// Milliseconds since the module last authenticated the owner. A user who is no longer an administrator at the identity
// provider must not stay an administrator here for the lifetime of a session.
const maxAdministratorAge = 3_600_000;

/**
 * Whether the request demands a login that is newer than that of the session. The age for `max_age` is that of the login: an
 * identity provider can return a login that is hours old (OpenID Connect Core §3.1.2.1).
 *
 * @param now epoch milliseconds
 */
export function needsLogin(
  { prompt, maxAge, resourceServer }: AuthorizationRequest,
  session: LoginSession,
  now: number,
): boolean {
  const { authentication, owner } = session;
  const isAdministering = owner.principal.adminPrincipal && isAdministration(resourceServer);
  return (
    prompt.includes('login') ||
    prompt.includes('create') ||
    (maxAge !== undefined && now - authentication.authenticatedAt >= maxAge * 1000) ||
    (isAdministering && !isAdministratorNow(session, now))
  );
}

/** Why a login is demanded of a user who is logged in. */
export function whyLogin(request: AuthorizationRequest, session: LoginSession, now: number): RestartReason {
  const { maxAge: _, ...others } = request;
  const isTooOld = needsLogin({ ...others, prompt: [] }, session, now);
  return isTooOld && !request.prompt.includes('login') ? 'administration' : 'asked';
}

/** Whether the login is new enough for what only administrators see. @param now epoch milliseconds */
export function isAdministratorNow(
  { creationDate, owner }: Pick<LoginSession, 'creationDate' | 'owner'>,
  now: number,
): boolean {
  return owner.principal.adminPrincipal && now - creationDate < maxAdministratorAge;
}

/**
 * Whether a login that the module has just returned is older than the client accepts: the client demands a new login, and
 * the module returned an earlier one at an identity provider. The way back from there takes time, and clocks differ:
 * {@link clockTolerance} allows for both.
 *
 * @param authenticatedAt epoch milliseconds
 * @param now epoch milliseconds
 */
export function isStaleLogin(
  { prompt, maxAge }: Pick<AuthorizationRequest, 'prompt' | 'maxAge'>,
  authenticatedAt: number,
  now: number,
): boolean {
  const accepted = prompt.includes('login') ? 0 : maxAge;
  return accepted !== undefined && now - authenticatedAt > (accepted + clockTolerance) * 1000;
}
