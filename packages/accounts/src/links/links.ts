import {
  type AccountLinkStore,
  type AccountStore,
  type AuditEvent,
  type Authenticators,
  type AuthStateDependencies,
  AuthStates,
  accountIdentityProvider,
  type Browser,
  type GrantStore,
  type LoginSession,
  type LoginSessions,
  OAuthError,
  openAuthenticators,
  type ProvidedIdentity,
  type ResourceOwner,
  type Submission,
  submitted,
  type Transact,
  type TransactionStores,
} from '@watchword/protocol';
import { hasJustLoggedIn } from '../account-rules.ts';
import { linkEvent } from './link-event.ts';
import type { LinkOutcome, LinksEndpoint, OwnLinks } from './link-pages.ts';

export interface LinksDependencies extends AuthStateDependencies {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly accountLinks: Pick<AccountLinkStore, 'find' | 'listOfAccount'>;
  readonly grants: Pick<GrantStore, 'listBySubject'>;
  readonly sessions: LoginSessions;
  readonly authenticators: Authenticators;
  readonly transact: Transact;
  readonly audited?: ((event: AuditEvent) => void) | undefined;
}

/** A page that comes back. Without a session it decides nothing. */
interface Answering {
  readonly session: LoginSession | undefined;
  readonly identity?: ProvidedIdentity | undefined;
}

/** The part of the account page on which people link other identity providers to their accounts. */
export function linksEndpoint(deps: LinksDependencies): LinksEndpoint {
  const { authenticators, clock, sessions } = deps;
  const authStates = new AuthStates(deps);

  const answering = async (
    stage: 'account' | 'link',
    submission: Submission,
    browser: Browser,
  ): Promise<Answering> => {
    const { state, isLate } = await authStates.openLate(stage, submission, browser);
    const session = await sessions.current(browser, authenticators);
    const isSame = !isLate && session?.id === state.sessionId && isLocal(session);
    return { session: isSame ? session : undefined, identity: state.identity };
  };

  /** The person who has logged in elsewhere for this session, unless something stands in the way. */
  const linkable = async (submission: Submission, browser: Browser) => {
    const { session, identity } = await answering('link', submission, browser);
    if (session === undefined) return 'late';
    if (identity === undefined) return 'unstable';
    return (await obstacleOf(identity, session, deps)) ?? { session, identity };
  };

  return {
    of: (owner) => ownLinks(owner, deps),

    async begin(submission, browser) {
      const { session } = await answering('account', submission, browser);
      if (session === undefined) return 'late';
      const authenticator = submitted(submission, 'authenticator');
      if (!offered(authenticators).includes(authenticator)) throw new OAuthError('not_found');
      return hasJustLoggedIn(session, clock.now()) ? { authenticator, sessionId: session.id } : 'login';
    },

    async show(submission, browser) {
      const found = await linkable(submission, browser);
      if (typeof found === 'string') return found;
      const { session, identity } = found;
      const page = authStates.sealPage('link', { sessionId: session.id, identity }, browser);
      const { authenticator, name } = identity;
      return { owner: session.owner, authenticator, name, ...page };
    },

    async confirm(submission, browser) {
      const found = await linkable(submission, browser);
      if (typeof found === 'string') return found;
      const { session, identity } = found;
      const event = linkEvent('linkProvider', session.owner.principal.name, identity, browser.source, deps);
      return changed(
        event,
        (stores) => linked(identity, session, event, stores, clock.now()),
        'linked',
        deps,
      );
    },

    unlink: async (submission, browser) => {
      const { session } = await answering('account', submission, browser);
      return session === undefined
        ? 'late'
        : removeLink(session, submitted(submission, 'authenticator'), browser, deps);
    },
  };
}

function offered(authenticators: Authenticators): readonly string[] {
  const names = openAuthenticators(authenticators).map(({ name }) => name);
  return names.filter((name) => name !== accountIdentityProvider);
}

async function ownLinks(
  { identityProvider, principal }: ResourceOwner,
  { accounts, accountLinks, authenticators }: LinksDependencies,
): Promise<OwnLinks | undefined> {
  if (identityProvider !== accountIdentityProvider || authenticators.size < 2) return undefined;
  const account = await accounts.find(principal.name);
  if (account === undefined) return undefined;
  const linked = await accountLinks.listOfAccount(account.id);
  const used = new Set(linked.map(({ authenticator }) => authenticator));
  return {
    linked,
    offered: offered(authenticators).filter((name) => !used.has(name)),
    hasPassword: account.passwordHash !== undefined,
  };
}

function isLocal(session: LoginSession | undefined): boolean {
  return session?.owner.identityProvider === accountIdentityProvider;
}

/** The event of a change is told once it is durable. */
async function changed(
  event: AuditEvent,
  work: (stores: TransactionStores) => Promise<LinkOutcome>,
  done: LinkOutcome,
  { transact, audited }: LinksDependencies,
): Promise<LinkOutcome> {
  const outcome = await transact(work);
  if (outcome === done) audited?.(event);
  return outcome;
}

async function obstacleOf(
  identity: ProvidedIdentity,
  { owner }: LoginSession,
  { accounts, accountLinks, grants, clock }: LinksDependencies,
): Promise<LinkOutcome | undefined> {
  const [link, account] = await Promise.all([
    accountLinks.find(identity.subject),
    accounts.find(owner.principal.name),
  ]);
  if (link !== undefined) return link.accountId === account?.id ? 'linked' : 'taken';
  // Its access and data would be lost to the person.
  return (await grants.listBySubject(identity.subject, clock.now())).length > 0 ? 'used' : undefined;
}

async function linked(
  identity: ProvidedIdentity,
  { owner }: LoginSession,
  event: AuditEvent,
  { accounts, accountLinks, auditEvents }: TransactionStores,
  now: number,
): Promise<LinkOutcome> {
  const account = await accounts.find(owner.principal.name);
  if (account === undefined || account.disabled) return 'late';
  const link = { ...identity, accountId: account.id, creationDate: now, lastUsed: 0 };
  if (!(await accountLinks.create(link))) return 'taken';
  await auditEvents.append([event]);
  return 'linked';
}

async function removeLink(
  session: LoginSession,
  authenticator: string,
  browser: Browser,
  deps: LinksDependencies,
): Promise<LinkOutcome> {
  const { name } = session.owner.principal;
  const account = await deps.accounts.find(name);
  const links = account === undefined ? [] : await deps.accountLinks.listOfAccount(account.id);
  const link = links.find((each) => each.authenticator === authenticator);
  if (link === undefined) return 'unlinked';
  const event = linkEvent('unlinkProvider', name, link, browser.source, deps);
  const work = (stores: TransactionStores) => unlinked(authenticator, session, event, stores, deps);
  const outcome = await changed(event, work, 'unlinked', deps);
  if (outcome === 'unlinked') await endOthersOf(authenticator, session, browser, deps);
  return outcome;
}

/** One way to log in stays: a password, a passkey, or a link with an authenticator that is there. */
async function unlinked(
  authenticator: string,
  { owner }: LoginSession,
  event: AuditEvent,
  { accounts, accountLinks, auditEvents, credentials }: TransactionStores,
  { authenticators }: LinksDependencies,
): Promise<LinkOutcome> {
  const account = await accounts.find(owner.principal.name);
  if (account === undefined) return 'late';
  const others = (await accountLinks.listOfAccount(account.id)).filter(
    (link) => link.authenticator !== authenticator && authenticators.has(link.authenticator),
  );
  if (account.passwordHash === undefined && others.length === 0) {
    const own = await credentials.listBySubject(owner.subject);
    if (own.every(({ kind }) => kind !== 'passkey')) return 'last';
  }
  if (await accountLinks.delete(account.id, authenticator)) await auditEvents.append([event]);
  return 'unlinked';
}

// Each is a row to delete, and logout deliveries.
const mostSessions = 1000;

async function endOthersOf(
  authenticator: string,
  session: LoginSession,
  { source }: Browser,
  { sessions }: LinksDependencies,
): Promise<void> {
  const meant = (await sessions.ofOwner(session, mostSessions)).filter(
    (other) => other.authenticator === authenticator && other.id !== session.id,
  );
  for (const { id } of meant) await sessions.endOther(session, id, { clientId: undefined, source });
}
