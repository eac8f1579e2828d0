import {
  type Account,
  type AccountLinkStore,
  type AccountStore,
  type AuditEvent,
  type Authenticated,
  type Authenticators,
  accountIdentityProvider,
  accountPrincipal,
  type Clock,
  type GrantStore,
  type LinkedLogins,
  type ProvidedIdentity,
  type Random,
  subjectOf,
  type Transact,
} from '@watchword/protocol';
import { linkEvent } from './link-event.ts';

export interface LinkedLoginDependencies {
  readonly accounts: Pick<AccountStore, 'findById' | 'listByEmail'>;
  readonly accountLinks: Pick<AccountLinkStore, 'find' | 'noteUse'>;
  readonly grants: Pick<GrantStore, 'listBySubject'>;
  readonly authenticators: Authenticators;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly random: Random;
  readonly subjectSecret: Uint8Array;
  /** The domains whose verified addresses the operator trusts each authenticator to tell, in small letters. */
  readonly trustedDomains: { get(authenticator: string): readonly string[] | undefined };
  readonly audited?: ((event: AuditEvent) => void) | undefined;
}

// Characters of the name of a person elsewhere, which people read and nothing compares.
const longestName = 255;

/** Makes logins of people who are linked to local accounts logins to these accounts. */
export function linkedLogins(deps: LinkedLoginDependencies): LinkedLogins {
  const { accounts, accountLinks, authenticators, clock, subjectSecret } = deps;
  const identityOf: LinkedLogins['identityOf'] = (login, authenticator) => {
    const { principal, stableId, identityProvider = authenticator } = login;
    if (stableId === undefined || identityProvider === accountIdentityProvider) return undefined;
    const subject = subjectOf(subjectSecret, { identityProvider, stableId, name: principal.name });
    return { subject, authenticator, identityProvider, name: principal.name.slice(0, longestName) };
  };
  return {
    identityOf,
    async resolve(login, authenticator, source) {
      const identity = authenticators.size > 1 ? identityOf(login, authenticator) : undefined;
      if (identity === undefined) return login;
      const link = await accountLinks.find(identity.subject);
      const accountId = link?.accountId ?? (await linkedByAddress(login, identity, source, deps));
      if (accountId === undefined) return login;
      const account = await accounts.findById(accountId);
      if (account === undefined || account.disabled) return undefined;
      if (!(await accountLinks.noteUse(identity.subject, clock.now()))) return undefined;
      return loginTo(account, login, identity, deps);
    },
  };
}

/** What the identity provider says of the person is not what is known of the account; how and when the person logged in is. */
function loginTo(
  account: Account,
  { claims: _, ...login }: Authenticated,
  { subject }: ProvidedIdentity,
  { accounts, accountLinks }: LinkedLoginDependencies,
): Authenticated {
  return {
    ...login,
    principal: accountPrincipal(account),
    stableId: account.id,
    identityProvider: accountIdentityProvider,
    async stillHolds() {
      const [now, link] = await Promise.all([accounts.findById(account.id), accountLinks.find(subject)]);
      const isSame = now?.revision === account.revision && link?.accountId === account.id;
      return isSame && ((await login.stillHolds?.()) ?? true);
    },
  };
}

/**
 * Links a person to the one account with the same address, where the operator allows it, both sides have verified the address, nobody
 * has given access as this person, and the account is not that of an administrator. Resolves with the id of the account.
 */
async function linkedByAddress(
  { claims = {} }: Authenticated,
  identity: ProvidedIdentity,
  source: string,
  deps: LinkedLoginDependencies,
): Promise<string | undefined> {
  const domains = deps.trustedDomains.get(identity.authenticator) ?? [];
  const { email, email_verified: isVerified } = claims;
  if (domains.length === 0 || typeof email !== 'string' || isVerified !== true) return undefined;
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())) return undefined;
  if ((await deps.grants.listBySubject(identity.subject, deps.clock.now())).length > 0) return undefined;
  const linked = await deps.transact(async ({ accounts, accountLinks, auditEvents }) => {
    const [account, ...others] = await accounts.listByEmail(email, 2);
    if (account === undefined || others.length > 0) return undefined;
    if (account.adminPrincipal || account.disabled || !account.emailVerified) return undefined;
    const link = { ...identity, accountId: account.id, creationDate: deps.clock.now(), lastUsed: 0 };
    if (!(await accountLinks.create(link))) return undefined;
    const event = linkEvent('linkProvider', account.username, link, source, deps);
    await auditEvents.append([event]);
    return { accountId: account.id, event };
  });
  if (linked !== undefined) deps.audited?.(linked.event);
  return linked?.accountId;
}
