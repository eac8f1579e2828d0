import {
  type Authenticators,
  type AuthStateDependencies,
  AuthStates,
  type Browser,
  type BrowserCookies,
  type Client,
  type ConsentStore,
  type EventOrigin,
  type GrantStore,
  identityOf,
  type LoginSession,
  type LoginSessions,
  loginEvent,
  missingParameter,
  OAuthError,
  type Registry,
  type ResourceOwner,
  type Submission,
  subjectInEvent,
  submitted,
  type UserClaimSet,
  type UserClaims,
  type Withdrawal,
} from '@watchword/protocol';
import { type ConnectedApplication, connectedApplications, isSelected } from './connected-applications.ts';

export interface AccountDependencies extends AuthStateDependencies {
  readonly registry: Registry;
  readonly grants: GrantStore;
  readonly consents: ConsentStore;
  readonly sessions: LoginSessions;
  /** The authenticators whose sessions are valid. */
  readonly authenticators: Authenticators;
  readonly userClaims: Pick<UserClaims, 'all'>;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
}

/** The account page of a resource owner. */
export interface AccountView {
  readonly owner: ResourceOwner;
  /** What applications can learn about the resource owner. */
  readonly claims: UserClaimSet;
  readonly applications: readonly ConnectedApplication[];
  /** The valid logins of the resource owner, this one among them. */
  readonly sessions: readonly OwnSession[];
  /** The client from which the user has just withdrawn the consent. */
  readonly withdrawn: Client | undefined;
  readonly authState: string;
  readonly cookies: BrowserCookies;
}

/** The pages on which a resource owner sees what the server knows, and sees and withdraws consent. */
export interface AccountEndpoint {
  /** `undefined` when no user is logged in. @param withdrawn what {@link withdraw} has returned */
  show(browser: Browser, withdrawn?: string): Promise<AccountView | undefined>;
  /**
   * Withdraws the consent to the client whose record id is submitted as `client`, and revokes its grants. Resolves with a text that lets
   * the page of this login say so. `undefined`, and nothing is done, if the page had been open for too long, or was of another login.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_request`
   */
  withdraw(submission: Submission, browser: Browser): Promise<string | undefined>;
  /**
   * The same for all tools that `tools` selects (see {@link ToolSelection}), also those that have come since the page was shown. `false`,
   * and nothing is done, as for `withdraw`.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`
   */
  withdrawTools(submission: Submission, browser: Browser): Promise<boolean>;
  /**
   * Ends another login of the resource owner, whose id is submitted as `session`. `false`, and nothing is done, as for `withdraw`.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`; `not_found` if the resource owner has no such login
   */
  endSession(submission: Submission, browser: Browser): Promise<boolean>;
  /**
   * Ends all other logins of the resource owner. Resolves with the `auth_state` of a logout that ends this one, which can lead to the
   * identity provider. `undefined`, and nothing is done, as for `withdraw`.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`
   */
  endSessions(submission: Submission, browser: Browser): Promise<string | undefined>;
}

/** A login in some browser. */
export interface OwnSession
  extends Pick<LoginSession, 'id' | 'device' | 'source' | 'creationDate' | 'lastUsed'> {
  /** It is the one in which the page is shown. */
  readonly isCurrent: boolean;
}

/** These pages are the server's own. */
function originFrom({ source }: Browser): EventOrigin {
  return { clientId: undefined, source };
}

export function accountEndpoint(deps: AccountDependencies): AccountEndpoint {
  const { registry, grants, consents, sessions, clock, authenticators, userClaims } = deps;
  const authStates = new AuthStates(deps);
  const current = (browser: Browser) => sessions.current(browser, authenticators);

  /** The session in which a page was shown that comes back; `undefined` if it was open for too long, or of another login. */
  const answering = async (submission: Submission, browser: Browser) => {
    const { state, isLate } = await authStates.openLate('account', submission, browser);
    const session = await current(browser);
    return !isLate && session?.id === state.sessionId ? session : undefined;
  };

  const connected = async ({ subject }: ResourceOwner) => {
    const [uses, remembered] = await Promise.all([
      grants.listBySubject(subject, clock.now()),
      consents.listBySubject(subject),
    ]);
    return connectedApplications(uses, remembered, registry);
  };

  return {
    async show(browser, withdrawn) {
      const session = await current(browser);
      if (session === undefined) return undefined;
      const { owner } = session;
      const [applications, ofOwner] = await Promise.all([
        connected(owner),
        sessions.ofOwner(session, mostShown),
      ]);
      const claims = userClaims.all(session);
      return {
        owner,
        claims,
        applications,
        sessions: ownSessions(ofOwner, session),
        withdrawn: registry.clientById(await withdrawnId(withdrawn, session, browser, authStates)),
        ...authStates.sealPage('account', { sessionId: session.id }, browser),
      };
    },

    ...withdrawing(answering, connected, authStates, deps),
    ...endingSessions(answering, authStates, deps),
  };
}

// Other writers wait for the end of a transaction.
const endedAtOnce = 100;

type Answering = (submission: Submission, browser: Browser) => Promise<LoginSession | undefined>;

/** @param answering see {@link accountEndpoint}. @param connected the applications of the owner */
function withdrawing(
  answering: Answering,
  connected: (owner: ResourceOwner) => Promise<readonly ConnectedApplication[]>,
  authStates: AuthStates,
  deps: AccountDependencies,
): Pick<AccountEndpoint, 'withdraw' | 'withdrawTools'> {
  const { registry, grants, clock } = deps;
  const withdrawal = (clientRecordId: number, owner: ResourceOwner, browser: Browser): Withdrawal => {
    const recordId = String(clientRecordId);
    const recordName = registry.clientById(clientRecordId)?.clientId ?? recordId;
    const record = { recordType: 'client', recordId, recordName } as const;
    const done = { action: 'withdraw', ...record, after: subjectInEvent(deps.subjectSecret, owner) } as const;
    return { clientRecordId, event: loginEvent(identityOf(owner), originFrom(browser), done, deps) };
  };

  return {
    async withdraw(submission, browser) {
      const session = await answering(submission, browser);
      if (session === undefined) return undefined;
      const client = submitted(submission, 'client');
      if (!/^\d{1,15}$/.test(client)) {
        throw missingParameter('client');
      }
      const { owner } = session;
      await grants.withdraw(owner.subject, [withdrawal(Number(client), owner, browser)], clock.now());
      const binding = authStates.bindingOf(browser);
      return authStates.seal('withdrawn', { sessionId: session.id, withdrawn: Number(client) }, binding);
    },

    async withdrawTools(submission, browser) {
      const session = await answering(submission, browser);
      if (session === undefined) return false;
      const { owner } = session;
      const selection = submitted(submission, 'tools');
      const done = new Set<number>();
      // A list has an end, and a tool can have been behind it.
      for (;;) {
        const left = (await connected(owner))
          .filter(({ client, vendor }) => isSelected(selection, vendor) && !done.has(client.id))
          .slice(0, endedAtOnce);
        if (left.length === 0) return true;
        for (const { client } of left) done.add(client.id);
        const withdrawals = left.map(({ client }) => withdrawal(client.id, owner, browser));
        await grants.withdraw(owner.subject, withdrawals, clock.now());
      }
    },
  };
}

/** @param answering see {@link accountEndpoint} */
function endingSessions(
  answering: Answering,
  authStates: AuthStates,
  { sessions }: Pick<AccountDependencies, 'sessions'>,
): Pick<AccountEndpoint, 'endSession' | 'endSessions'> {
  return {
    async endSession(submission, browser) {
      const session = await answering(submission, browser);
      if (session === undefined) return false;
      const id = submitted(submission, 'session');
      if (sessionId.test(id) && (await sessions.endOther(session, id, originFrom(browser)))) return true;
      throw new OAuthError('not_found');
    },

    async endSessions(submission, browser) {
      const session = await answering(submission, browser);
      if (session === undefined) return undefined;
      await sessions.endOthers(session, originFrom(browser));
      return authStates.seal('logout', { sessionId: session.id }, authStates.bindingOf(browser));
    },
  };
}

/** An address from elsewhere, or of another login, names none. @returns 0 for none */
async function withdrawnId(
  sealed: string | undefined,
  { id }: LoginSession,
  browser: Browser,
  authStates: AuthStates,
): Promise<number> {
  if (sealed === undefined) return 0;
  try {
    const { sessionId, withdrawn } = await authStates.open(
      'withdrawn',
      new Map([['auth_state', [sealed]]]),
      browser,
    );
    return sessionId === id ? (withdrawn ?? 0) : 0;
  } catch (error) {
    if (error instanceof OAuthError) return 0;
    throw error;
  }
}

// Whoever has more can end all of them at once.
const mostShown = 50;

/** @param sessions of the owner; in more than are shown, this one can be missing */
function ownSessions(sessions: readonly LoginSession[], current: LoginSession): readonly OwnSession[] {
  const others = sessions.filter(({ id }) => id !== current.id).toSorted((a, b) => b.lastUsed - a.lastUsed);
  return [current, ...others].map(({ id, device, source, creationDate, lastUsed }) => ({
    ...{ id, device, source, creationDate, lastUsed },
    isCurrent: id === current.id,
  }));
}

const sessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
