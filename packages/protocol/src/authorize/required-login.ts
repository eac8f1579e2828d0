import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { LoginSession } from '../model/records/login-session.ts';
import { acceptedValues } from '../openid/claims-request.ts';
import type { Subjects } from '../openid/subjects.ts';
import { answeredClass, isOfClass, type LoginStrength } from '../rules/login-strength.ts';
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

/**
 * Why the login of a session is not the one that the client requires: another user (OpenID Connect Core §3.1.2.1, §3.1.2.2), or
 * not one of the required authentication context classes, which is a failed authentication (§5.5.1.1). `undefined` when it is.
 */
export function unmetRequirement(
  request: AuthorizationRequest,
  { owner, authentication }: LoginSession,
  { subjects, strength }: RequiredLoginDependencies,
): RedirectableError | undefined {
  const { client, openid } = request;
  const subject = openid?.hintedSubject;
  if (subject !== undefined && subject !== subjects.subjectFor(client, owner)) {
    return new RedirectableError('login_required', because('named_user'));
  }
  const classes = requiredClasses(request);
  if (classes === undefined || classes.some((name) => isOfClass(authentication, name, strength)))
    return undefined;
  const acr = answeredClass(authentication, classes, strength);
  const why = because('required_context', { classes, acr });
  return new RedirectableError('unmet_authentication_requirements', why);
}
