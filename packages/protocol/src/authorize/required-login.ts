import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { type LoginLevel, reaches } from '../model/login-level.ts';
import type { AuthenticationEvent } from '../model/records/authentication-event.ts';
import type { LoginSession } from '../model/records/login-session.ts';
import { acceptedValues } from '../openid/claims-request.ts';
import type { Subjects } from '../openid/subjects.ts';
import { answeredClass, isOfClass, type LoginStrength, levelClasses } from '../rules/login-strength.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

export interface RequiredLoginDependencies {
  readonly subjects: Pick<Subjects, 'subjectFor'>;
  readonly strength: Pick<LoginStrength, 'classes'>;
}

/** The authentication context classes of which the login must have one; `undefined` when the client requires none. */
export function requiredClasses({ openid }: AuthorizationRequest): readonly string[] | undefined {
  const acr = openid?.claims?.id_token?.acr;
  return acr?.essential === true ? acceptedValues(acr)?.map(String) : undefined;
}

/** The classes that a client asks for, required or not, best first; `undefined` when it does not ask for the class of the login. */
export function askedClasses({ openid, acrValues }: AuthorizationRequest): readonly string[] | undefined {
  const { acr } = openid?.claims?.id_token ?? {};
  if (acr === undefined && acrValues === undefined) return undefined;
  return [...new Set([...(acceptedValues(acr) ?? []).map(String), ...(acrValues ?? [])])];
}

/** Whether the client names another user than that of the session (OpenID Connect Core §3.1.2.2). */
export function isOtherUser(
  { client, openid }: AuthorizationRequest,
  { owner }: Pick<LoginSession, 'owner'>,
  { subjects }: Pick<RequiredLoginDependencies, 'subjects'>,
): boolean {
  const subject = openid?.hintedSubject;
  return subject !== undefined && subject !== subjects.subjectFor(client, owner);
}

/** The level that the registration of the client requires of every login. */
export function levelOfClient({ client: { loginLevel } }: Pick<AuthorizationRequest, 'client'>): LoginLevel {
  return loginLevel === '' ? 'sfa' : loginLevel;
}

/**
 * Why the login of a session is not the one that the client requires: another user (OpenID Connect Core §3.1.2.1, §3.1.2.2), or
 * not one of the authentication context classes that the request or the registration of the client requires, which is a failed
 * authentication (§5.5.1.1). `undefined` when it is.
 */
export function unmetRequirement(
  request: AuthorizationRequest,
  { owner, authentication }: LoginSession,
  { subjects, strength }: RequiredLoginDependencies,
): RedirectableError | undefined {
  if (isOtherUser(request, { owner }, { subjects })) {
    return new RedirectableError('login_required', because('named_user'));
  }
  const classes = unmetClasses(request, authentication, strength);
  if (classes === undefined) return undefined;
  const acr = answeredClass(authentication, classes, strength);
  const why = because('required_context', { classes, acr });
  return new RedirectableError('unmet_authentication_requirements', why);
}

/** The classes of which the login must have one, and has none: those of the request, or that of the client. */
function unmetClasses(
  request: AuthorizationRequest,
  authentication: AuthenticationEvent,
  strength: Pick<LoginStrength, 'classes'>,
): readonly string[] | undefined {
  const level = levelOfClient(request);
  if (!reaches(authentication.level ?? 'sfa', level)) return [levelClasses[level]];
  const classes = requiredClasses(request);
  return classes?.some((name) => isOfClass(authentication, name, strength)) === false ? classes : undefined;
}
