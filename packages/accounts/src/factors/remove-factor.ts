import {
  type AccountLinkStore,
  type AccountStore,
  type Authenticators,
  accountIdentityProvider,
  type Credential,
  type CredentialStore,
  identityOf,
  type ResourceOwner,
  type TransactionStores,
} from '@watchword/protocol';
import type { EnrolmentDependencies, FactorOwner } from './enrolment.ts';
import { factorEvent, factorState, tellOfFactor } from './factor-events.ts';
import { hasSecondFactor } from './second-factor.ts';

interface WayDependencies {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly accountLinks: Pick<AccountLinkStore, 'listOfAccount'>;
  readonly credentials: Pick<CredentialStore, 'listBySubject'>;
  readonly authenticators: Authenticators;
}

/** Whether one way to log in stays: a password, another passkey, or a link with an authenticator that is there. */
export async function canRemove(
  factor: Credential,
  { identityProvider, principal, subject }: ResourceOwner,
  { accounts, accountLinks, credentials, authenticators }: WayDependencies,
): Promise<boolean> {
  // Others log in elsewhere, and an app is no first factor.
  if (identityProvider !== accountIdentityProvider || factor.kind !== 'passkey') return true;
  const account = await accounts.find(principal.name);
  if (account === undefined || account.passwordHash !== undefined) return true;
  const own = await credentials.listBySubject(subject);
  if (own.some(({ id, kind }) => kind === 'passkey' && id !== factor.id)) return true;
  const links = await accountLinks.listOfAccount(account.id);
  return links.some(({ authenticator }) => authenticators.has(authenticator));
}

/** Whether the person has no second factor without it. */
export function isLastFactor(factor: Credential, own: readonly Credential[]): boolean {
  return !hasSecondFactor(own.filter(({ id }) => id !== factor.id));
}

/**
 * Removes a factor, with the last one also the recovery codes, and tells the owner.
 *
 * @param mayBeLast what the last one needs was asked. Others can be removed at the same time
 */
export async function removeFactor(
  factor: Credential,
  { owner, browser }: FactorOwner,
  mayBeLast: boolean,
  deps: Omit<EnrolmentDependencies, 'secrets'> & WayDependencies,
): Promise<'removed' | 'gone' | 'last' | 'late'> {
  const event = factorEvent('removeFactor', { owner, source: browser.source }, factorState(factor), deps);
  const outcome = await deps.transact(async (stores) => {
    if (!(await canRemove(factor, owner, { ...deps, ...stores }))) return 'last';
    const own = await stores.credentials.listBySubject(owner.subject);
    if (!mayBeLast && isLastFactor(factor, own)) return 'late';
    if (!(await stores.credentials.delete(owner.subject, factor.id))) return 'gone';
    await endWithFactors(owner.subject, factor.kind !== 'trusted_browser', stores);
    await tellOfFactor('factor_removed', factor, identityOf(owner), browser, deps, stores);
    await stores.auditEvents.append([event]);
    return 'removed';
  });
  if (outcome === 'removed') deps.audited?.(event);
  return outcome;
}

/**
 * Ends what is of no use to a person once factors are removed: without another second factor, all that is left.
 *
 * @param isTrustOver ends the trust in all browsers: each was trusted for a factor that was proved there, perhaps a removed one
 */
export async function endWithFactors(
  subject: string,
  isTrustOver: boolean,
  { credentials }: Pick<TransactionStores, 'credentials'>,
): Promise<void> {
  const left = await credentials.listBySubject(subject);
  if (!hasSecondFactor(left)) await credentials.deleteBySubject(subject);
  else if (isTrustOver) await credentials.deleteBySubject(subject, ['trusted_browser']);
}
