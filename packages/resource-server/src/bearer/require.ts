import { InsufficientPrivileges, TokenMissing } from '../errors.ts';
import { refused } from '../events.ts';
import type { TokenInfo } from '../token-info.ts';
import {
  holds,
  type LoginRequirement,
  leastOf,
  type Requirement,
  readLogin,
  readRequired,
} from './access-rules.ts';
import { loginProblem } from './login.ts';
import { joined, requiredBefore, withoutScope } from './remembered.ts';

/** What a helper requires: one item or more, all of which must be met. Each is one as in the rules of `protect`. */
type Required = readonly Requirement[];

/**
 * Gives the token info back if it has every one of the scopes.
 * @param tokenInfo what the middleware put on the request; undefined where no middleware stands before the handler
 * @param scopes one text may hold several, as in the wire form
 * @throws TokenMissing 401, InsufficientPrivileges 403; ConfigurationError if nothing is required
 */
export function requireScope(tokenInfo: TokenInfo | undefined, ...scopes: Required): TokenInfo {
  const required = readRequired('requireScope', 'scope', scopes);
  const scope = leastOf(required);
  if (tokenInfo === undefined) throw refused(new TokenMissing({ scope }));
  if (holds(tokenInfo.scopes, required)) return tokenInfo;
  throw refused(new InsufficientPrivileges(joined(requiredBefore(tokenInfo), { scope })));
}

/** Gives the token info back if its principal has every one of the roles. @throws like {@link requireScope} */
export function requireRole(tokenInfo: TokenInfo | undefined, ...roles: Required): TokenInfo {
  const required = readRequired('requireRole', 'role', roles);
  return holding(tokenInfo, ({ principal }) => holds(principal.roles, required));
}

/** Gives the token info back if its principal is in every one of the groups. @throws like {@link requireScope} */
export function requireGroup(tokenInfo: TokenInfo | undefined, ...groups: Required): TokenInfo {
  const required = readRequired('requireGroup', 'group', groups);
  return holding(tokenInfo, ({ principal }) => holds(principal.groups, required));
}

/**
 * Gives the token info back if the login of its user is strong and recent enough (RFC 9470).
 * @throws TokenMissing, InsufficientAuthentication 401; InsufficientPrivileges 403 if a client acts for itself;
 *   AuthorizationServerUnavailable 503 if the server does not tell the login; ConfigurationError if nothing is required
 */
export function requireLogin(tokenInfo: TokenInfo | undefined, requirement: LoginRequirement): TokenInfo {
  const rules = readLogin(requirement);
  if (tokenInfo === undefined) throw refused(new TokenMissing());
  const problem = loginProblem(tokenInfo, rules, requiredBefore(tokenInfo));
  if (problem === undefined) return tokenInfo;
  throw refused(problem);
}

function holding(tokenInfo: TokenInfo | undefined, isHeld: (tokenInfo: TokenInfo) => boolean): TokenInfo {
  if (tokenInfo === undefined) throw refused(new TokenMissing());
  if (isHeld(tokenInfo)) return tokenInfo;
  throw refused(new InsufficientPrivileges(withoutScope(requiredBefore(tokenInfo))));
}
