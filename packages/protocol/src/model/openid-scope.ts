/**
 * The scopes that a client's registration lists, in addition to `openid` (OpenID Connect Core §5.4). `offline_access` (§11) can
 * stand there, as in earlier releases, without an effect: who has it follows from `useRefreshTokens`.
 */
export const registeredOpenidScopes = [
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
  'groups',
] as const;

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

/** Libraries add these names to any request, so they are never an error: OpenID Connect Core defines them. */
const standardScopes: readonly string[] = openidScopes.filter((scope) => scope !== 'groups');

export function isStandardScope(scope: string): boolean {
  return standardScopes.includes(scope);
}

export type OpenidScope = (typeof openidScopes)[number];

export function isOpenidScope(scope: string): scope is OpenidScope {
  return (openidScopes as readonly string[]).includes(scope);
}
