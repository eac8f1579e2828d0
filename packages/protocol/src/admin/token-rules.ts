import type { Client } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import type { Violations } from '../rules/registration.ts';
import type { Caller } from './caller.ts';
import { isSystemRecord } from './ownership.ts';

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
 * A token lives no longer than its client's registration allows, unless an administrator says so. A token that opens
 * the administration interface never does: else whoever lost the right to it could prolong it by the interface itself.
 */
export function checkExpiry(
  expires: number,
  creationDate: number,
  { expireDuration }: Client,
  resourceServer: ResourceServer,
  caller: Caller,
  violations: Violations,
): void {
  if (!Number.isSafeInteger(expires) || expires < 0) {
    violations.add('expires', 'is not a moment in epoch milliseconds, or 0 for a token that does not expire');
    return;
  }
  const isFree = expireDuration === 0 || (caller.isAdministrator && !isSystemRecord(resourceServer));
  const latest = creationDate + expireDuration * 1000;
  if (!isFree && (expires === 0 || expires > latest)) {
    violations.add(
      'expires',
      `is later than ${latest}, when the token expires by the registration of its client`,
    );
  }
}
