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
  type GrantUse,
  identityOf,
  isLoopbackHost,
  isRevokedWithClient,
  type ListedAccess,
  type LoginSession,
  type LoginSessions,
  listedAccess,
  loginEvent,
  missingParameter,
  OAuthError,
  type Registry,
  type RememberedConsent,
  type ResourceOwner,
  type ResourceServer,
  type Scopes,
  type Submission,
  subjectInEvent,
  submitted,
  type UserClaimSet,
  type UserClaims,
} from '@watchword/protocol';

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

  return {
    async show(browser, withdrawn) {
      const session = await current(browser);
      if (session === undefined) return undefined;
      const { owner } = session;
      const [uses, remembered, ofOwner] = await Promise.all([
        grants.listBySubject(owner.subject, clock.now()),
        consents.listBySubject(owner.subject),
        sessions.ofOwner(session, mostShown),
      ]);
      const applications = connectedApplications(uses, remembered, registry);
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

    async withdraw(submission, browser) {
      const session = await answering(submission, browser);
      if (session === undefined) return undefined;
      const client = submitted(submission, 'client');
      if (!/^\d{1,15}$/.test(client)) {
        throw missingParameter('client');
      }
      const { owner } = session;
      const recordName = registry.clientById(Number(client))?.clientId ?? client;
      const record = { recordType: 'client', recordId: client, recordName } as const;
      const event = loginEvent(
        identityOf(owner),
        originFrom(browser),
        { action: 'withdraw', ...record, after: subjectInEvent(deps.subjectSecret, owner) },
        deps,
      );
      await grants.withdraw(owner.subject, Number(client), clock.now(), event);
      const binding = authStates.bindingOf(browser);
      return authStates.seal('withdrawn', { sessionId: session.id, withdrawn: Number(client) }, binding);
    },
    ...endingSessions(answering, authStates, deps),
  };
}

/** @param answering see {@link accountEndpoint} */
function endingSessions(
  answering: (submission: Submission, browser: Browser) => Promise<LoginSession | undefined>,
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

/** A client that has grants of a resource owner, or that gets one again without a question. */
export interface ConnectedApplication {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  /** What all its grants give; nothing when only a consent is remembered. */
  readonly granted: ListedAccess;
  /** Remembered consent: for this the client does not have to ask. */
  readonly consented: ListedAccess;
  /** Epoch milliseconds of the first of the grants, or of the first consent. */
  readonly since: number;
  /** Epoch milliseconds: when a token was last issued to it; `undefined` without a grant. */
  readonly lastUsed: number | undefined;
}

/**
 * The origin of an application, where a user can give it access again. An administrator has to vouch for it, and its redirect URIs must agree
 * on one: `undefined` otherwise.
 */
export function homeOf({
  trusted,
  redirectUris,
}: Pick<Client, 'trusted' | 'redirectUris'>): string | undefined {
  const urls = redirectUris.map((uri) => new URL(uri)).filter(({ protocol }) => /^https?:$/.test(protocol));
  const hosted = urls.filter(({ hostname }) => !isLoopbackHost(hostname));
  const [origin, ...others] = new Set((hosted.length > 0 ? hosted : urls).map((url) => url.origin));
  return trusted && others.length === 0 ? origin : undefined;
}

/** Groups the grants and consents of one resource owner by client. The client that was used last comes first. */
function connectedApplications(
  uses: readonly GrantUse[],
  consents: readonly RememberedConsent[],
  registry: Registry,
): ConnectedApplication[] {
  const grantsOf = Map.groupBy(uses, ({ grant }) => grant.clientRecordId);
  const consentsOf = Map.groupBy(consents, ({ clientRecordId }) => clientRecordId);
  return [...new Set([...grantsOf.keys(), ...consentsOf.keys()])]
    .flatMap((id) => {
      const client = registry.clientById(id);
      const resourceServer = client && registry.resourceServerById(client.resourceServerId);
      if (client === undefined || resourceServer === undefined) return [];
      const valid = (grantsOf.get(id) ?? []).filter(({ grant }) => !isRevokedWithClient(client, grant));
      const access = (of: readonly { readonly scopes: Scopes }[]) =>
        listedAccess(
          of.map(({ scopes }) => scopes),
          client,
          resourceServer,
          registry,
        );
      const remembered = (consentsOf.get(id) ?? []).filter((consent) => hasAccess(access([consent])));
      const begins =
        valid.length > 0 ? valid.map(({ grant }) => grant.creationDate) : remembered.map(savedAt);
      if (begins.length === 0) return [];
      return {
        client,
        resourceServer,
        granted: access(valid.map(({ grant }) => grant)),
        consented: access(remembered),
        since: Math.min(...begins),
        lastUsed: valid.length === 0 ? undefined : Math.max(...valid.map(({ lastUsed }) => lastUsed)),
      };
    })
    .toSorted((a, b) => (b.lastUsed ?? 0) - (a.lastUsed ?? 0) || b.since - a.since);
}

function savedAt(consent: RememberedConsent): number {
  return consent.savedAt;
}

function hasAccess({ scopes, others }: ListedAccess): boolean {
  return scopes.length > 0 || others.length > 0;
}
