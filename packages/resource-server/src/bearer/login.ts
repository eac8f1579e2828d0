import {
  type AccessError,
  AuthorizationServerUnavailable,
  type Challenge,
  InsufficientAuthentication,
  InsufficientPrivileges,
} from '../errors.ts';
import type { TokenInfo } from '../token-info.ts';
import type { LoginRules } from './access-rules.ts';
import { withoutScope } from './remembered.ts';

/**
 * Why the login with which a user granted the token is not enough (RFC 9470); `undefined` if it is. The challenge names all that is
 * required, met or not: a login that meets only what was missing could lose the rest.
 *
 * @returns InsufficientAuthentication; InsufficientPrivileges for a client that acts for itself, which cannot log in;
 *   AuthorizationServerUnavailable if the login is not told
 */
export function loginProblem(
  { auth_time, acr }: TokenInfo,
  rules: LoginRules,
  challenge: Challenge,
): AccessError | undefined {
  const { acrValues, maxAge } = rules;
  if (acrValues === undefined && maxAge === undefined) return undefined;
  if (auth_time === undefined) return new AuthorizationServerUnavailable('login_untold', { retryAfter: 60 });
  if (auth_time === null) return new InsufficientPrivileges(withoutScope(challenge));
  const required = { ...challenge, acrValues, maxAge };
  if (acrValues !== undefined && (acr === undefined || !acrValues.includes(acr)))
    return new InsufficientAuthentication('level', required);
  const isOld = maxAge !== undefined && Date.now() - auth_time * 1000 > maxAge * 1000;
  return isOld ? new InsufficientAuthentication('age', required) : undefined;
}
