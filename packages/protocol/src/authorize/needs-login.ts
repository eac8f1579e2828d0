import type { LoginSession } from '../model/login-session.ts';
import { isSystemRecord } from '../rules/system-records.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { needsNewLogin } from './sessions/login-age.ts';

// Milliseconds since the identity provider last vouched for the owner: a person who is no administrator there any more must
// not stay one here for the lifetime of a session.
const maxAdministratorAge = 3_600_000;

/** Whether the request demands a login that is newer than the session. @param now epoch milliseconds */
export function needsLogin(request: AuthorizationRequest, session: LoginSession, now: number): boolean {
  const isAdministering = session.owner.principal.adminPrincipal && isSystemRecord(request.resourceServer);
  return (
    needsNewLogin(session, request, now) ||
    (isAdministering && now - session.creationDate >= maxAdministratorAge)
  );
}
