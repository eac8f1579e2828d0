import { type AssertionIssuer, lacksKeys, type Violations } from '@watchword/protocol';
import { mayUseIssuer, type RegistrationRightDependencies } from '../callers/registration-right.ts';
import type { Registered } from './other-resource-servers.ts';

/**
 * Finds issuers without keys that the operator does not name, or not for this caller. What a client has already, it keeps. Who may not
 * use an issuer does not learn whether the operator names it.
 */
export function checkAssertionIssuers(
  issuers: readonly AssertionIssuer[],
  { caller, before }: Pick<Registered, 'caller' | 'before'>,
  deps: RegistrationRightDependencies,
  violations: Violations,
): void {
  const kept = new Set(before?.assertionIssuers.filter(lacksKeys).map(nameOf));
  for (const [index, each] of issuers.entries()) {
    if (!lacksKeys(each) || kept.has(nameOf(each)) || mayUseIssuer(caller, each.issuer, deps)) continue;
    violations.add(
      'assertionIssuers',
      `has an issuer (number ${index + 1}) without keys: set jwks or jwksUri, unless the setting clients.assertionIssuers names it and lets you use it (a command on the database reads that from --config)`,
    );
  }
}

function nameOf({ issuer, audience, subject }: AssertionIssuer): string {
  return JSON.stringify([issuer, audience, subject]);
}
