import { endWithFactors, factorState, hasSecondFactor, tellOfFactor } from '@watchword/accounts';
import {
  accountIdentityProvider,
  type CountedPeople,
  type Credential,
  type CredentialStore,
  type EndedByChange,
  type Identity,
  OAuthError,
  type SendMail,
  type TransactionStores,
} from '@watchword/protocol';
import { ofAccount } from '../accounts/account-record.ts';
import { requireAdministratorLeft, requirePersonFor } from '../accounts/account-rules.ts';
import { type Caller, requireAdministrator, requirePerson } from '../callers/caller.ts';
import { type AuditedChange, ofIdentity } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';

/** A factor of a person, beside a password. All recovery codes of a person are one. */
export interface FactorOfPerson
  extends Pick<Credential, 'id' | 'subject' | 'owner' | 'kind' | 'name' | 'creationDate' | 'lastUsed'> {
  /** Of recovery codes, those that are left. */
  readonly count: number;
}

/**
 * Factors with which people of any identity provider log in here. Administrators alone can use them, and clients with the right to accounts.
 *
 * Each method throws OAuthError `access_denied`.
 */
export interface FactorAdministration {
  /** In the order in which they were added. */
  list(caller: Caller, owner: Identity): Promise<FactorOfPerson[]>;
  /** How many people have which factors. Up to 30 seconds old. */
  count(caller: Caller): Promise<CountedPeople>;
  /**
   * Removes one factor and the trust in browsers, and with the last one the recovery codes. Ends the login sessions of the person, revokes the
   * grants, and tells the owner of a local account by mail.
   *
   * @throws OAuthError `not_found`; `conflict` for the last administrator
   */
  remove(caller: Caller, id: string): Promise<EndedByChange>;
  /** Removes all factors as {@link remove} does. @throws OAuthError as there; `not_found` if there is none */
  reset(caller: Caller, owner: Identity): Promise<EndedByChange>;
}

type Dependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
> & {
  readonly credentials: Pick<CredentialStore, 'countPeople' | 'findById' | 'listByOwner'>;
  /** `undefined` where no mail is set up. */
  readonly openSendMail?: (() => Promise<SendMail>) | undefined;
};

// Grants of one transaction: other writers wait for its end.
const batchSize = 500;
const factorsOfPeople = 'manage the factors of people';
// Counting reads the factors of everybody.
const keptMs = 30_000;

export function factorAdministration(deps: Dependencies): FactorAdministration {
  const { clock } = deps;

  const removeSome = async (
    caller: Caller,
    owner: Identity,
    isMeant: (factor: FactorOfPerson) => boolean,
  ) => {
    requireAdministrator(caller, factorsOfPeople);
    const send = await deps.openSendMail?.();
    const mail = send && { send };
    const ended = await changeRecords(caller, deps, async (stores) => {
      const all = await stores.credentials.listByOwner(owner);
      const removed = factorsOf(all).filter(isMeant);
      if (removed.length === 0) throw noSuchFactor();
      await requireNotLast(caller, owner, stores);
      await removeFrom(all, removed, stores);
      for (const factor of removed.filter(({ kind }) => kind !== 'trusted_browser'))
        await tellOfFactor('factor_removed', factor, owner, {}, { clock, mail }, stores);
      const value = await endAccess(owner, clock.now(), stores);
      return { value, changes: removed.map((factor) => changeOf(owner, factor)) };
    });
    return endGrants(owner, ended, deps);
  };

  let kept: { readonly since: number; readonly counted: Promise<CountedPeople> } | undefined;
  const count = () => {
    const now = clock.now();
    if (kept !== undefined && Math.abs(now - kept.since) < keptMs) return kept.counted;
    const counted = deps.credentials.countPeople();
    kept = { since: now, counted };
    counted.catch(() => {
      kept = undefined;
    });
    return counted;
  };

  return {
    async count(caller) {
      requireAdministrator(caller, factorsOfPeople);
      return count();
    },
    async list(caller, owner) {
      requireAdministrator(caller, factorsOfPeople);
      return factorsOf(await deps.credentials.listByOwner(owner));
    },
    async remove(caller, id) {
      requireAdministrator(caller, factorsOfPeople);
      const found = await deps.credentials.findById(id);
      if (found === undefined) throw noSuchFactor();
      return removeSome(caller, found.owner, (factor) => factor.id === id);
    },
    reset: (caller, owner) => removeSome(caller, owner, () => true),
  };
}

function factorsOf(credentials: readonly Credential[]): FactorOfPerson[] {
  return credentials.flatMap(({ id, subject, owner, kind, name, creationDate, lastUsed }) => {
    const same = credentials.filter((each) => each.subject === subject && each.kind === kind);
    const count = kind === 'recovery_code' ? same.length : 1;
    if (kind === 'recovery_code' && same[0]?.id !== id) return [];
    return [{ id, subject, owner, kind, name, creationDate, lastUsed, count }];
  });
}

async function removeFrom(
  all: readonly Credential[],
  removed: readonly FactorOfPerson[],
  stores: Pick<TransactionStores, 'credentials'>,
): Promise<void> {
  const { credentials } = stores;
  for (const { id, subject, kind } of removed) {
    if (kind === 'recovery_code') await credentials.deleteBySubject(subject, [kind]);
    else await credentials.delete(subject, id);
  }
  for (const subject of new Set(all.map((each) => each.subject))) await endWithFactors(subject, true, stores);
}

async function endAccess(
  owner: Identity,
  now: number,
  {
    accounts,
    credentials,
    issuedTokens,
  }: Pick<TransactionStores, 'accounts' | 'credentials' | 'issuedTokens'>,
): Promise<EndedByChange> {
  const isAlone = !hasSecondFactor(await credentials.listByOwner(owner));
  // The new revision of an account also ends a login that is under way.
  const ofAccount =
    owner.identityProvider === accountIdentityProvider
      ? await accounts.update(owner.name, isAlone ? { needsLongPassword: true } : {}, now)
      : undefined;
  if (ofAccount !== undefined) return ofAccount;
  const sessions = await issuedTokens.endSessions(owner, now);
  return { sessions, grants: await issuedTokens.revokeGrants(owner, now, batchSize) };
}

/** The grants that the transaction of the change has left, for people with very many of them. */
async function endGrants(
  owner: Identity,
  ended: EndedByChange,
  { clock, transact }: Pick<Dependencies, 'clock' | 'transact'>,
): Promise<EndedByChange> {
  if (owner.identityProvider === accountIdentityProvider) return ended;
  let { grants } = ended;
  for (let last = batchSize; last === batchSize; ) {
    last = await transact(({ issuedTokens }) => issuedTokens.revokeGrants(owner, clock.now(), batchSize));
    grants += last;
  }
  return { ...ended, grants };
}

/**
 * Whoever has stolen the token of the only administrator cannot lock the owner out, nor make the login weaker. A client that acts for itself
 * does neither to an administrator; of people of other identity providers nobody knows here who is one.
 */
async function requireNotLast(
  caller: Caller,
  { identityProvider, name }: Identity,
  stores: Pick<TransactionStores, 'accountLinks' | 'accounts' | 'credentials'>,
): Promise<void> {
  if (identityProvider !== accountIdentityProvider) {
    requirePerson(caller, 'remove factors of people of other identity providers');
    return;
  }
  const account = await stores.accounts.find(name);
  requirePersonFor(caller, account);
  if (account !== undefined) await requireAdministratorLeft(caller, account, undefined, stores);
}

function changeOf(owner: Identity, factor: FactorOfPerson): AuditedChange {
  const isLocal = owner.identityProvider === accountIdentityProvider;
  const of = isLocal ? ofAccount(owner.name) : ofIdentity(owner);
  return { action: 'removeFactor', ...of, before: factorState(factor) };
}

function noSuchFactor(): OAuthError {
  return new OAuthError('not_found', {
    description: 'There is no such factor. It was removed, or the person has none.',
  });
}
