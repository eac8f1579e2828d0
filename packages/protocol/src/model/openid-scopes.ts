/** The scopes of OpenID Connect that ask for claims of the user (OpenID Connect Core §5.4) or for access without the user (§11). */
export const optionalOpenidScopes = ['profile', 'email', 'address', 'phone', 'offline_access'] as const;

/** All scopes of OpenID Connect. They belong to the server, and to no resource server. */
export const openidScopes = ['openid', ...optionalOpenidScopes] as const;

export type OpenidScope = (typeof openidScopes)[number];
