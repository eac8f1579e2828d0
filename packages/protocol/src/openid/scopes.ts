import {
  isOpenidScope,
  isStandardScope,
  needsConfirmation,
  type OpenidScope,
} from '../model/openid-scope.ts';
import type { Client } from '../model/records/client.ts';
import type { Scopes } from '../model/scope.ts';
import { isFor, isTargeted, kept, targetsOf } from '../model/targeted-scope.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { remainingScopes } from '../rules/scope.ts';
import { scopesAt } from '../rules/usable-resource-servers.ts';

/** What decides which scopes a client can have. */
export interface ScopedClient {
  /** Of its resource server. */
  readonly scopes: Scopes;
  /** Of OpenID Connect, beside `openid`. */
  readonly openidScopes: Scopes;
  readonly redirectUris: readonly string[];
  readonly useRefreshTokens: boolean;
  readonly trusted: boolean;
  readonly keepsUserData: boolean;
}

/**
 * The OpenID Connect scopes that the client can get. `openid` needs no entry, but a redirect URI; `offline_access` needs the
 * right to refresh tokens. A name that is a scope of the resource server is none of them there.
 */
export function openidScopesOf(
  client: Omit<ScopedClient, 'scopes'>,
  resourceServer?: { readonly scopes: Scopes },
): Scopes {
  if (client.redirectUris.length === 0) return [];
  const withheld = withheldScopesOf(client);
  const listed = client.openidScopes.filter(
    (scope) => scope !== 'offline_access' && !withheld.includes(scope),
  );
  const scopes = ['openid', ...listed, ...(client.useRefreshTokens ? ['offline_access'] : [])];
  return resourceServer === undefined
    ? scopes
    : scopes.filter((scope) => !resourceServer.scopes.includes(scope));
}

/**
 * The registered OpenID Connect scopes that the client does not get until an administrator confirms its record: anybody who
 * registers a client can give it any name, and users cannot check who asks for their data.
 */
export function withheldScopesOf(
  client: Pick<ScopedClient, 'openidScopes' | 'trusted' | 'keepsUserData'>,
): Scopes {
  return isConfirmed(client) ? [] : client.openidScopes.filter(needsConfirmation);
}

/** Whether an administrator confirmed the record, or it is from a time at which nobody had to. */
export function isConfirmed({
  trusted,
  keepsUserData,
}: Pick<ScopedClient, 'trusted' | 'keepsUserData'>): boolean {
  return trusted || keepsUserData;
}

/**
 * Leaves out what a request can name without an error and without getting it: the standard scopes that are not available, and
 * beside `openid` every name that neither OpenID Connect gives here nor the resource server has (OpenID Connect Core §3.1.2.1).
 */
export function withoutIgnored(
  requested: Scopes,
  available: Scopes,
  { scopes: own }: { readonly scopes: Scopes } = { scopes: [] },
): Scopes {
  const isOpenid = requested.includes('openid') && !own.includes('openid');
  const isIgnored = (scope: string) => isStandardScope(scope) || (isOpenid && !own.includes(scope));
  return requested.filter((scope) => available.includes(scope) || !isIgnored(scope));
}

/**
 * The granted scopes that the client still has; the same array when it has all of them.
 *
 * @param resourceServer home of the client
 */
export function remainingScopesOf(
  granted: Scopes,
  client: ScopedClient & Pick<Client, 'resourceServerId' | 'otherResourceServers'>,
  resourceServer: { readonly scopes: Scopes } | undefined,
  registry: Pick<Registry, 'resourceServerById'>,
): Scopes {
  // Most tokens have no scope of OpenID Connect, and every lookup of a token comes here.
  if (granted.every((scope) => client.scopes.includes(scope))) return granted;
  const openid = openidScopesOf(client, resourceServer);
  if (!isTargeted(granted)) return remainingScopes(granted, [...client.scopes, ...openid]);
  const ofHome = isFor(granted, undefined) ? client.scopes : [];
  const others = new Map(targetsOf(granted)?.map(({ id }) => [id, availableAt(id, client, registry)]));
  return kept(granted, ({ id, scope }) => {
    if (id === undefined) return scope === undefined || ofHome.includes(scope) || openid.includes(scope);
    const available = others.get(id);
    return available !== undefined && (scope === undefined || available.includes(scope));
  });
}

/** The scopes that the client can get at another resource server. */
function availableAt(
  id: number | undefined,
  client: Parameters<typeof scopesAt>[0],
  registry: Pick<Registry, 'resourceServerById'>,
): Scopes | undefined {
  const other = id === undefined ? undefined : registry.resourceServerById(id);
  return other && scopesAt(client, other, registry);
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

/**
 * The claims that a scope gives (OpenID Connect Core §5.4). `openid` gives `sub` alone, `offline_access` none. `groups` is no
 * standard scope, but the name that applications ask for.
 */
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
  groups: ['groups'],
};

/** The scope that has the claim, or the whole of a member such as `address.locality`; `undefined` for a claim that the operator named. */
export function scopeOfClaim(name: string): OpenidScope | undefined {
  const claim = name.startsWith('address.') ? 'address' : name;
  const scopes = Object.entries(claimsOfScope) as [OpenidScope, readonly string[]][];
  return scopes.find(([, claims]) => claims.includes(claim))?.[0];
}
