import type { Client } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import type { Violations } from '../rules/registration.ts';
import { remainingScopes } from '../rules/scope.ts';
import { isSystemRecord } from '../rules/system-records.ts';
import type { Caller } from './caller.ts';

export function checkTokenScopes(
  scopes: Scopes,
  available: Scopes,
  whose: string,
  violations: Violations,
): void {
  for (const scope of scopes) {
    if (!available.includes(scope)) {
      violations.add('scopes', `${JSON.stringify(scope.slice(0, 40))} is not a scope of ${whose}`);
    }
  }
}

/**
 * The scopes that a new token of the client may have. One that opens the administration interface has none that the
 * caller's own lacks: else whoever may only write would read by what they wrote.
 */
export function availableScopes(client: Client, resourceServer: ResourceServer, { access }: Caller): Scopes {
  return access !== undefined && isSystemRecord(resourceServer)
    ? remainingScopes(client.scopes, access.scopes)
    : client.scopes;
}

/**
 * A token lives no longer than its client's registration allows, unless an administrator says so. A token that opens
 * the administration interface never does, nor longer than the one by which it is issued or changed: else whoever lost
 * the right to it, or stole a token, could stay by the interface itself, from one token to the next.
 *
 * @returns epoch milliseconds; 0 = there is no latest moment
 */
export function latestExpiry(
  creationDate: number,
  { expireDuration }: Client,
  resourceServer: ResourceServer,
  { isAdministrator, access }: Caller,
): number {
  const opensAdministration = isSystemRecord(resourceServer);
  const isFree = expireDuration === 0 || (isAdministrator && !opensAdministration);
  const byRegistration = isFree ? 0 : creationDate + expireDuration * 1000;
  return earlier(byRegistration, opensAdministration ? (access?.expires ?? 0) : 0);
}

/** @param latest as of {@link latestExpiry} */
export function checkExpiry(expires: number, latest: number, violations: Violations): void {
  if (!Number.isSafeInteger(expires) || expires < 0) {
    violations.add('expires', 'is not a moment in epoch milliseconds, or 0 for a token that does not expire');
  } else if (latest !== 0 && (expires === 0 || expires > latest)) {
    violations.add(
      'expires',
      `is later than ${latest}, until when the registration of its client, and for administration your own token, let it live`,
    );
  }
}

/** Of two moments of expiry, where 0 is never. */
export function earlier(a: number, b: number): number {
  return a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b);
}
