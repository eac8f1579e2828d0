import type { LoginSession } from '../model/login-session.ts';
import { isBuiltIn } from '../rules/built-in-records.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

// Milliseconds. A person who stops being an administrator elsewhere must not go on here for the lifetime of a session.
const maxAdministratorAge = 3_600_000;

/** Whether the request demands a login that is newer than the session. @param now epoch milliseconds */
export function needsLogin(
  { prompt, maxAge, resourceServer }: AuthorizationRequest,
  { authenticatedAt, owner }: LoginSession,
  now: number,
): boolean {
  const age = now - authenticatedAt;
  const isAdministering = owner.principal.adminPrincipal && isBuiltIn(resourceServer);
  return (
    prompt.includes('login') ||
    (maxAge !== undefined && age >= maxAge * 1000) ||
    (isAdministering && age >= maxAdministratorAge)
  );
}
