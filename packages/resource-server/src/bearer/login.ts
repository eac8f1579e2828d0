import {
  AuthorizationServerUnavailable,
  type Challenge,
  InsufficientAuthentication,
  InsufficientPrivileges,
} from '../errors.ts';
import type { TokenInfo } from '../token-info.ts';
import type { LoginRules } from './access-rules.ts';

/**
 * Checks the login with which a user granted the token (RFC 9470). The challenge names all that is required, met or not: a login that
 * meets only what was missing could lose the rest.
 *
 * @throws InsufficientAuthentication; InsufficientPrivileges for a client that acts for itself, which cannot log in;
 *   AuthorizationServerUnavailable if the login is not told
 */
export function checkLogin({ auth_time, acr }: TokenInfo, rules: LoginRules, challenge: Challenge): void {
  const { acrValues, maxAge } = rules;
  if (acrValues === undefined && maxAge === undefined) return;
  if (auth_time === undefined) throw new AuthorizationServerUnavailable('login_untold', { retryAfter: 60 });
  if (auth_time === null) throw new InsufficientPrivileges({ realm: challenge.realm });
  const required = { ...challenge, acrValues, maxAge };
  if (acrValues !== undefined && (acr === undefined || !acrValues.includes(acr)))
    throw new InsufficientAuthentication('level', required);
  if (maxAge !== undefined && Date.now() - auth_time * 1000 > maxAge * 1000)
    throw new InsufficientAuthentication('age', required);
}
