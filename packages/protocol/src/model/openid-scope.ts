/** The scopes that a client's registration lists, in addition to `openid` (OpenID Connect Core §5.4, §11). */
export const registeredOpenidScopes = ['profile', 'email', 'address', 'phone', 'offline_access'] as const;

/**
 * The scopes of the server itself (OpenID Connect Core §3.1.2.1). They belong to no resource server: no new scope of a
 * resource server can have such a name, and one that exists keeps its own meaning there.
 */
export const openidScopes = ['openid', ...registeredOpenidScopes] as const;

/** What identifies or reaches a person outside of the client: only a client that an administrator confirmed gets it. */
const confirmedScopes: readonly string[] = ['email', 'address', 'phone', 'groups'];

export function needsConfirmation(scope: string): boolean {
  return confirmedScopes.includes(scope);
}

export type OpenidScope = (typeof openidScopes)[number];

export function isOpenidScope(scope: string): scope is OpenidScope {
  return (openidScopes as readonly string[]).includes(scope);
}
