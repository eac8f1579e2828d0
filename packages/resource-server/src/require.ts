import type { Challenge } from './bearer/challenge.ts';
import { InsufficientPrivileges, TokenMissing } from './errors.ts';
import type { TokenInfo } from './token-info.ts';

/**
 * Gives the token info back if it has every one of the scopes.
 * @param tokenInfo what the middleware put on the request; undefined where no middleware stands before the handler
 * @throws TokenMissing 401, InsufficientPrivileges 403
 */
export function requireScope(tokenInfo: TokenInfo | undefined, ...scopes: readonly string[]): TokenInfo {
  // As in the wire form, one text may hold several.
  const required = scopes.flatMap((scope) => scope.split(' '));
  const info = present(tokenInfo, { scope: required });
  if (!holdsAll(info.scopes, required)) throw new InsufficientPrivileges({ scope: required });
  return info;
}

/** Gives the token info back if its principal has every one of the roles. @throws like {@link requireScope} */
export function requireRole(tokenInfo: TokenInfo | undefined, ...roles: readonly string[]): TokenInfo {
  const info = present(tokenInfo);
  if (!holdsAll(info.principal.roles, roles)) throw new InsufficientPrivileges();
  return info;
}

/** Gives the token info back if its principal is in every one of the groups. @throws like {@link requireScope} */
export function requireGroup(tokenInfo: TokenInfo | undefined, ...groups: readonly string[]): TokenInfo {
  const info = present(tokenInfo);
  if (!holdsAll(info.principal.groups, groups)) throw new InsufficientPrivileges();
  return info;
}

export function holdsAll(held: readonly string[], required: readonly string[]): boolean {
  return required.every((name) => held.includes(name));
}

function present(tokenInfo: TokenInfo | undefined, challenge?: Challenge): TokenInfo {
  if (!tokenInfo) throw new TokenMissing(challenge);
  return tokenInfo;
}
