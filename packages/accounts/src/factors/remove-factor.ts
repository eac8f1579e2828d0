import {
  type AccountLinkStore,
  type AccountStore,
  type Authenticators,
  accountIdentityProvider,
  type Credential,
  type CredentialStore,
  type ResourceOwner,
} from '@watchword/protocol';
import type { EnrolmentDependencies, FactorOwner } from './enrolment.ts';
import { factorEvent, factorState, mailOfFactor } from './factor-events.ts';
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

/** Removes a factor, with the last one also the recovery codes, and tells the owner. */
export async function removeFactor(
  factor: Credential,
  { owner, browser }: FactorOwner,
  deps: Omit<EnrolmentDependencies, 'secrets'> & WayDependencies,
): Promise<'removed' | 'gone' | 'last'> {
  const event = factorEvent('removeFactor', { owner, source: browser.source }, factorState(factor), deps);
  const outcome = await deps.transact(async (stores) => {
    if (!(await canRemove(factor, owner, { ...deps, ...stores }))) return 'last';
    if (!(await stores.credentials.delete(owner.subject, factor.id))) return 'gone';
    const left = await stores.credentials.listBySubject(owner.subject);
    if (!hasSecondFactor(left)) await stores.credentials.deleteBySubject(owner.subject);
    // Each was trusted for a factor that was proved there, perhaps this one.
    else if (factor.kind !== 'trusted_browser')
      await stores.credentials.deleteBySubject(owner.subject, ['trusted_browser']);
    const { kind, name: label } = factor;
    await mailOfFactor(
      (to, of) => ({ kind: 'factor_removed', ...to, values: { ...of, factor: { kind, label } } }),
      owner,
      browser,
      deps,
      stores,
    );
    await stores.auditEvents.append([event]);
    return 'removed';
  });
  if (outcome === 'removed') deps.audited?.(event);
  return outcome;
}
