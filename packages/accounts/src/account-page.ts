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
  type LoginSession,
  type LoginSessions,
  loginEvent,
  missingParameter,
  OAuthError,
  type Registry,
  type RememberedConsent,
  type ResourceOwner,
  type ResourceServer,
  remainingScopesOf,
  type Scopes,
  type Submission,
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
}

/** The account page of a resource owner. */
export interface AccountView {
  readonly owner: ResourceOwner;
  /** What applications can learn about the resource owner. */
  readonly claims: UserClaimSet;
  readonly applications: readonly ConnectedApplication[];
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
}

/** These pages are the server's own. */
function originFrom({ source }: Browser): EventOrigin {
  return { clientId: undefined, source };
}

export function accountEndpoint(deps: AccountDependencies): AccountEndpoint {
  const { registry, grants, consents, sessions, clock, authenticators, userClaims } = deps;
  const authStates = new AuthStates(deps);
  const current = (browser: Browser) => sessions.current(browser, authenticators);
  const sealed = (stage: 'account', { id }: LoginSession, browser: Browser) => {
    const binding = authStates.bindingOf(browser);
    const authState = authStates.seal(stage, { sessionId: id }, binding);
    return { authState, cookies: binding === browser.binding ? {} : { binding } };
  };

  /** An address from elsewhere, or of another login, names none. */
  const withdrawnClient = async (sealed: string | undefined, { id }: LoginSession, browser: Browser) => {
    if (sealed === undefined) return undefined;
    try {
      const { sessionId, withdrawn } = await authStates.open(
        'withdrawn',
        new Map([['auth_state', [sealed]]]),
        browser,
      );
      return sessionId === id && withdrawn !== undefined ? registry.clientById(withdrawn) : undefined;
    } catch (error) {
      if (error instanceof OAuthError) return undefined;
      throw error;
    }
  };

  return {
    async show(browser, withdrawn) {
      const session = await current(browser);
      if (session === undefined) return undefined;
      const { owner } = session;
      const [uses, remembered] = await Promise.all([
        grants.listBySubject(owner.subject, clock.now()),
        consents.listBySubject(owner.subject),
      ]);
      const applications = connectedApplications(uses, remembered, registry);
      const claims = userClaims.all(session);
      return {
        owner,
        claims,
        applications,
        withdrawn: await withdrawnClient(withdrawn, session, browser),
        ...sealed('account', session, browser),
      };
    },

    async withdraw(submission, browser) {
      const { state, isLate } = await authStates.openLate('account', submission, browser);
      const session = await current(browser);
      if (isLate || session === undefined || session.id !== state.sessionId) return undefined;
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
        { action: 'withdraw', ...record },
        deps,
      );
      await grants.withdraw(owner.subject, Number(client), clock.now(), event);
      const binding = authStates.bindingOf(browser);
      return authStates.seal('withdrawn', { sessionId: session.id, withdrawn: Number(client) }, binding);
    },
  };
}

/** A client that has grants of a resource owner, or that gets one again without a question. */
export interface ConnectedApplication {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  /** The scopes of all its grants; none when only a consent is remembered. */
  readonly scopes: Scopes;
  /** Remembered consent: for these scopes the client does not have to ask. */
  readonly consentedScopes: Scopes;
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
      const remembered = (consentsOf.get(id) ?? []).filter(
        (consent) => allScopes([consent], client, resourceServer).length > 0,
      );
      const begins =
        valid.length > 0 ? valid.map(({ grant }) => grant.creationDate) : remembered.map(savedAt);
      if (begins.length === 0) return [];
      return {
        client,
        resourceServer,
        scopes: allScopes(
          valid.map(({ grant }) => grant),
          client,
          resourceServer,
        ),
        consentedScopes: allScopes(remembered, client, resourceServer),
        since: Math.min(...begins),
        lastUsed: valid.length === 0 ? undefined : Math.max(...valid.map(({ lastUsed }) => lastUsed)),
      };
    })
    .toSorted((a, b) => (b.lastUsed ?? 0) - (a.lastUsed ?? 0) || b.since - a.since);
}

function savedAt(consent: RememberedConsent): number {
  return consent.savedAt;
}

/** Those that the client still has. */
function allScopes(
  of: readonly { readonly scopes: Scopes }[],
  client: Client,
  resourceServer: ResourceServer,
): Scopes {
  return remainingScopesOf([...new Set(of.flatMap(({ scopes }) => scopes))], client, resourceServer);
}
