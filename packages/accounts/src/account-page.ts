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
  isRevokedWithClient,
  type LoginSession,
  type LoginSessions,
  loginEvent,
  missingParameter,
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
  readonly authState: string;
  readonly cookies: BrowserCookies;
}

/** The pages on which a resource owner sees what the server knows, and sees and withdraws consent. */
export interface AccountEndpoint {
  /** `undefined` when no user is logged in. */
  show(browser: Browser): Promise<AccountView | undefined>;
  /**
   * Withdraws the consent to the client whose record id is submitted as `client`, and revokes its grants. `false`, and nothing is done, if
   * the page had been open for too long, or was of another login.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_request`
   */
  withdraw(submission: Submission, browser: Browser): Promise<boolean>;
}

/** These pages are the server's own. */
function originFrom({ source }: Browser): EventOrigin {
  return { clientId: undefined, source };
}

export function accountEndpoint(deps: AccountDependencies): AccountEndpoint {
  const { registry, grants, consents, sessions, clock, authenticators, userClaims } = deps;
  const authStates = new AuthStates(deps);
  const current = (browser: Browser) => sessions.current(browser, authenticators);
  const sealed = (stage: 'account' | 'logout', { id }: LoginSession, browser: Browser) => {
    const binding = authStates.bindingOf(browser);
    const authState = authStates.seal(stage, { sessionId: id }, binding);
    return { authState, cookies: binding === browser.binding ? {} : { binding } };
  };

  return {
    async show(browser) {
      const session = await current(browser);
      if (session === undefined) return undefined;
      const { owner } = session;
      const [uses, remembered] = await Promise.all([
        grants.listBySubject(owner.subject, clock.now()),
        consents.listBySubject(owner.subject),
      ]);
      const applications = connectedApplications(uses, remembered, registry);
      const claims = userClaims.all(session);
      return { owner, claims, applications, ...sealed('account', session, browser) };
    },

    async withdraw(submission, browser) {
      const { state, isLate } = await authStates.openLate('account', submission, browser);
      const session = await current(browser);
      if (isLate || session === undefined || session.id !== state.sessionId) return false;
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
      return true;
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
