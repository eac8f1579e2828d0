import {
  type Client,
  isAdministration,
  type ResourceServer,
  remainingScopes,
  type Scopes,
  shown,
  type Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

export function checkTokenScopes(
  scopes: Scopes,
  available: Scopes,
  whose: string,
  violations: Violations,
): void {
  for (const scope of scopes) {
    if (!available.includes(scope)) {
      violations.add('scopes', `${shown(scope, 40)} is not a scope of ${whose}`);
    }
  }
}

/**
 * The scopes that a new token of the client can have. A token for the administration interface has only scopes of the
 * caller's own token: otherwise a caller with the scope `write` alone could issue a token with the scope `read`.
 */
export function availableScopes(client: Client, resourceServer: ResourceServer, { access }: Caller): Scopes {
  return access !== undefined && isAdministration(resourceServer)
    ? remainingScopes(client.scopes, access.scopes)
    : client.scopes;
}

/**
 * The latest expiry of a token: that of the registration of its client, unless an administrator sets another one. A
 * token for the administration interface never exceeds the registration, nor the token by which it is issued or
 * changed: otherwise a caller who lost the right to the interface, or stole a token, could keep access to it by
 * issuing one token after the other.
 *
 * @returns epoch milliseconds; 0 = no limit
 */
export function latestExpiry(
  creationDate: number,
  { expireDuration }: Client,
  resourceServer: ResourceServer,
  { isAdministrator, access }: Caller,
): number {
  const isForAdministration = isAdministration(resourceServer);
  const isFree = expireDuration === 0 || (isAdministrator && !isForAdministration);
  const byRegistration = isFree ? 0 : creationDate + expireDuration * 1000;
  return earlier(byRegistration, isForAdministration ? (access?.expires ?? 0) : 0);
}

/** @param latest as of {@link latestExpiry} */
export function checkExpiry(expires: number, latest: number, violations: Violations): void {
  if (!Number.isSafeInteger(expires) || expires < 0) {
    violations.add('expires', 'must be a time in epoch milliseconds, or 0 for a token that does not expire');
  } else if (latest !== 0 && (expires === 0 || expires > latest)) {
    violations.add(
      'expires',
      `is later than ${latest}, the limit that the token lifetime of the client sets, or for the administration interface the expiry of your own token`,
    );
  }
}

/** The earlier of two expiry timestamps, where 0 is never. */
export function earlier(a: number, b: number): number {
  return a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b);
}
