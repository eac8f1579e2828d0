import { isOpenidScope, needsConfirmation, type OpenidScope } from '../model/openid-scope.ts';
import type { Scopes } from '../model/scope.ts';
import { remainingScopes } from '../rules/scope.ts';

/** What decides which scopes a client can have. */
export interface ScopedClient {
  /** Of its resource server. */
  readonly scopes: Scopes;
  /** Of OpenID Connect, beside `openid`. */
  readonly openidScopes: Scopes;
  readonly redirectUris: readonly string[];
  readonly trusted: boolean;
  readonly keepsUserData: boolean;
}

/**
 * The OpenID Connect scopes that the client can get: `openid` needs no entry, but a redirect URI. A name that is a scope of
 * the resource server is none of them there.
 */
export function openidScopesOf(
  client: Omit<ScopedClient, 'scopes'>,
  resourceServer?: { readonly scopes: Scopes },
): Scopes {
  const scopes = requestableScopesOf(client, resourceServer);
  const withheld = withheldScopesOf(client);
  return withheld.length === 0 ? scopes : scopes.filter((scope) => !withheld.includes(scope));
}

/** Those that it can ask for. The {@link withheldScopesOf} it are among them: they are no error, and left out. */
export function requestableScopesOf(
  { openidScopes, redirectUris }: Pick<ScopedClient, 'openidScopes' | 'redirectUris'>,
  resourceServer?: { readonly scopes: Scopes },
): Scopes {
  if (redirectUris.length === 0) return [];
  const scopes = ['openid', ...openidScopes];
  return resourceServer === undefined
    ? scopes
    : scopes.filter((scope) => !resourceServer.scopes.includes(scope));
}

/**
 * The registered OpenID Connect scopes that the client does not get until an administrator confirms its record: anybody who
 * registers a client can give it any name, and users cannot check who asks for their data.
 */
export function withheldScopesOf({
  openidScopes,
  trusted,
  keepsUserData,
}: Pick<ScopedClient, 'openidScopes' | 'trusted' | 'keepsUserData'>): Scopes {
  return trusted || keepsUserData ? [] : openidScopes.filter(needsConfirmation);
}

/** The granted scopes that the client still has; the same array when it has all of them. */
export function remainingScopesOf(
  granted: Scopes,
  client: ScopedClient,
  resourceServer?: { readonly scopes: Scopes },
): Scopes {
  // Most tokens have no scope of OpenID Connect, and every lookup of a token comes here.
  if (granted.every((scope) => client.scopes.includes(scope))) return granted;
  return remainingScopes(granted, [...client.scopes, ...openidScopesOf(client, resourceServer)]);
}

export interface SplitScopes {
  readonly openid: readonly OpenidScope[];
  readonly ofResourceServer: Scopes;
}

/**
 * Separates the scopes of OpenID Connect from those of a resource server. A resource server that had a scope of such a name
 * before keeps it as its own.
 */
export function splitScopes(scopes: Scopes, resourceServer: { readonly scopes: Scopes }): SplitScopes {
  const isOpenid = (scope: string) => isOpenidScope(scope) && !resourceServer.scopes.includes(scope);
  return {
    openid: scopes.filter((scope): scope is OpenidScope => isOpenid(scope)),
    ofResourceServer: scopes.filter((scope) => !isOpenid(scope)),
  };
}

/** The claims that a scope gives (OpenID Connect Core §5.4). `openid` gives `sub` alone, `offline_access` none. */
export const claimsOfScope: Readonly<Record<OpenidScope, readonly string[]>> = {
  openid: ['sub'],
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
  offline_access: [],
};

/**
 * The scope that a claim belongs to: a client that requests the claim alone must be registered for that scope, and the
 * resource owner consents to it in the words of that scope. A claim of a user that no standard scope has belongs to `profile`.
 */
export function scopeOfClaim(claim: string): OpenidScope {
  const scopes = Object.entries(claimsOfScope) as [OpenidScope, readonly string[]][];
  return scopes.find(([, claims]) => claims.includes(claim))?.[0] ?? 'profile';
}
