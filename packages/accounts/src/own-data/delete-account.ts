import {
  type Account,
  type AuditEvent,
  AuthStates,
  accountIdentityProvider,
  type Browser,
  endRightsGivenBy,
  identityOf,
  type LoginSession,
  loginEvent,
  OAuthError,
  type ResourceServerStore,
  type Submission,
  type TransactionStores,
} from '@watchword/protocol';
import { canAdministrate, newLogin } from '../account-rules.ts';
import { checkCurrent, isSame } from '../passwords/change-password.ts';
import type { PasswordDependencies } from '../passwords/password-pages.ts';
import type { Deleted, DeletionEndpoint, DeletionObstacle, DeletionView } from './deletion-pages.ts';

export interface DeletionDependencies extends PasswordDependencies {
  readonly resourceServers: Pick<ResourceServerStore, 'list'>;
}

/** A person who asks for the deletion. */
interface Person {
  readonly session: LoginSession;
  /** Of a person with a local account. */
  readonly account: Account | undefined;
}

export function deletionEndpoint(deps: DeletionDependencies): DeletionEndpoint {
  const { accounts, authenticators, sessions } = deps;
  const authStates = new AuthStates(deps);

  const current = async (browser: Browser): Promise<Person | undefined> => {
    const session = await sessions.current(browser, authenticators);
    if (session === undefined || !isLocal(session)) return session && { session, account: undefined };
    const account = await accounts.find(session.owner.principal.name);
    if (account === undefined || account.disabled) throw new OAuthError('invalid_auth_state');
    return { session, account };
  };

  const shown = async (
    person: Person,
    browser: Browser,
    again: Pick<DeletionView, 'isLate' | 'problem'> = {},
  ): Promise<DeletionView> => {
    const { session } = person;
    const obstacle = await obstacleOf(person, deps);
    const asksPassword = person.account?.passwordHash !== undefined;
    return {
      owner: session.owner,
      isLocal: isLocal(session),
      asksPassword,
      obstacle,
      ...authStates.sealPage('deletion', { sessionId: session.id }, browser),
      ...again,
    };
  };

  return {
    async show(browser) {
      const person = await current(browser);
      return person && shown(person, browser);
    },

    async delete(submission, browser) {
      const { state, isLate } = await authStates.openLate('deletion', submission, browser);
      const person = await current(browser);
      if (person === undefined) return undefined;
      if (isLate || person.session.id !== state.sessionId) return shown(person, browser, { isLate: true });
      if ((await obstacleOf(person, deps)) !== undefined) return shown(person, browser);
      const problem = await problemOf(person, submission, browser, deps);
      if (problem !== undefined) return shown(person, browser, { problem });
      return (await remove(person, browser, deps)) ?? shown(person, browser);
    },
  };
}

function isLocal({ owner }: LoginSession): boolean {
  return owner.identityProvider === accountIdentityProvider;
}

/** Who has no password here has logged in for this. */
async function problemOf(
  { account }: Person,
  submission: Submission,
  browser: Browser,
  deps: DeletionDependencies,
) {
  return account?.passwordHash === undefined ? undefined : checkCurrent(account, submission, browser, deps);
}

type ObstacleDependencies = Pick<
  DeletionDependencies,
  'accountLinks' | 'accounts' | 'clock' | 'credentials' | 'resourceServers'
>;

async function obstacleOf(
  { session, account }: Person,
  { accountLinks, accounts, clock, credentials, resourceServers }: ObstacleDependencies,
): Promise<DeletionObstacle | undefined> {
  const isNew = clock.now() - session.creationDate <= newLogin;
  if (account?.passwordHash === undefined && !isNew) return 'login';
  const owned = await resourceServers.list({ owner: identityOf(session.owner), limit: 1 });
  if (owned.length > 0) return 'records';
  if (!account?.adminPrincipal) return undefined;
  const own = await credentials.listBySubject(session.owner.subject);
  if (!canAdministrate(account, own, await accountLinks.listOfAccount(account.id))) return undefined;
  return (await accounts.hasOtherAdministrator(account.username)) ? undefined : 'administrator';
}

/**
 * `undefined`, and nothing is removed, if something stands in the way since.
 *
 * @throws OAuthError `invalid_auth_state` if the account has changed
 */
async function remove(
  person: Person,
  browser: Browser,
  deps: DeletionDependencies,
): Promise<Deleted | undefined> {
  const event = deletionEvent(person, browser, deps);
  const isRemoved = await deps.transact(async (stores) => {
    if ((await obstacleOf(person, { ...stores, clock: deps.clock })) !== undefined) return false;
    await removeAll(person, stores, deps.clock.now());
    const origin = { clientId: undefined, source: browser.source };
    await endRightsGivenBy(identityOf(person.session.owner), origin, stores, deps);
    await stores.auditEvents.append([event]);
    return true;
  });
  if (!isRemoved) return undefined;
  deps.audited?.(event);
  return { isLocal: person.account !== undefined, cookies: { session: null } };
}

async function removeAll(
  { session, account }: Person,
  { accounts }: Pick<TransactionStores, 'accounts'>,
  now: number,
): Promise<void> {
  if (account === undefined) {
    await accounts.forget(identityOf(session.owner), now);
    return;
  }
  if (!isSame(await accounts.find(account.username), account)) throw new OAuthError('invalid_auth_state');
  await accounts.delete(account.username, now);
}

/** Without a state before: what is deleted does not stay in the audit log. */
function deletionEvent(
  { session, account }: Person,
  { source }: Browser,
  deps: DeletionDependencies,
): AuditEvent {
  const owner = identityOf(session.owner);
  const recordType = account === undefined ? 'resourceOwner' : 'account';
  const record = { recordType, recordId: owner.name, recordName: owner.name } as const;
  return loginEvent(owner, { clientId: undefined, source }, { action: 'delete', ...record }, deps);
}
