import type {
  AccessToken,
  AccessTokenStore,
  Account,
  AccountStore,
  AuditEvent,
  AuditEventStore,
  AuthorizationCodeStore,
  ChangeCount,
  Client,
  ClientStore,
  ConsentAnswerStore,
  ConsentStore,
  EndedByChange,
  GrantListStore,
  GrantStore,
  Identity,
  IdentityProviderStore,
  IssuedCount,
  LoginAttemptStore,
  LoginSession,
  LoginSessionStore,
  OneTimeStore,
  ReadSnapshot,
  RefreshTokenStore,
  Registry,
  ResourceServer,
  ResourceServerStore,
  SealingKeyStore,
  SessionLinkStore,
  StatisticsStore,
  SubjectKeyStore,
  Transact,
} from '@watchword/protocol';
import { isPublicClient, redirectUriOrigin, scriptOrigin } from '@watchword/protocol';
import { memoryAccounts } from './memory-accounts.ts';
import { memoryAuditEvents } from './memory-audit-events.ts';
import { memoryClients } from './memory-clients.ts';
import { memoryEndedGrants, memoryGrantList } from './memory-grant-list.ts';
import { memoryGrants } from './memory-grants.ts';
import { memoryIdentityProviders } from './memory-identity-providers.ts';
import { memoryIssuedTokens, memoryTokenScan } from './memory-issued-tokens.ts';
import { memoryLoginAttempts } from './memory-login-attempts.ts';
import { memoryLoginSessions } from './memory-login-sessions.ts';
import { memoryOneTime } from './memory-one-time.ts';
import { memoryOwnerChanges } from './memory-owner-changes.ts';
import { isOwnedBy, memoryRecords } from './memory-records.ts';
import { memoryResourceServers } from './memory-resource-servers.ts';
import { memorySealingKeys } from './memory-sealing-keys.ts';
import { memorySessionLinks } from './memory-session-links.ts';
import { memorySnapshot } from './memory-snapshot.ts';
import { memoryStatistics } from './memory-statistics.ts';
import { memorySubjectKey } from './memory-subject-key.ts';
import { memoryTransact } from './memory-transact.ts';

/** A store for tests of the protocol. It passes the conformance suite, so it behaves as the real stores do. */
export interface MemoryStore {
  readonly accessTokens: AccessTokenStore;
  readonly accounts: AccountStore;
  readonly auditEvents: AuditEventStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly clients: ClientStore;
  readonly consentAnswers: ConsentAnswerStore;
  readonly consents: ConsentStore;
  readonly grantList: GrantListStore;
  readonly grants: GrantStore;
  readonly identityProviderUse: IdentityProviderStore;
  readonly loginAttempts: LoginAttemptStore;
  readonly loginSessions: LoginSessionStore;
  readonly oneTime: OneTimeStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly resourceServers: ResourceServerStore;
  readonly sealingKeys: SealingKeyStore;
  readonly statistics: StatisticsStore;
  readonly transact: Transact;
  readonly readSnapshot: ReadSnapshot;
  readonly sessionLinks: SessionLinkStore;
  readonly subjectKey: SubjectKeyStore;
  /** Reads the same records, so it is always up to date. */
  readonly registry: Registry;
  /** The stored access tokens, by id. */
  readonly tokens: Map<string, AccessToken>;
  /** Ids that were looked up. */
  readonly lookups: string[];
  /** Stores a record without validation. */
  putClient(client: Client): Client;
  putResourceServer(resourceServer: ResourceServer): ResourceServer;
}

export function memoryStore(): MemoryStore {
  const tokens = new Map<string, AccessToken>();
  const records = memoryRecords();
  const { clients, servers, clientByClientId, serverByKey } = records;
  const sessions = new Map<string, LoginSession>();
  const lookups: string[] = [];
  const events: AuditEvent[] = [];
  const memory = memoryGrants(tokens, events);
  const { withGrant, tokenIsGone, remember, grants } = memory;
  const { authorizationCodes, refreshTokens, consents, consentAnswers } = memory;
  const endAll = async ({ identityProvider, name }: Identity, now: number): Promise<EndedByChange> => {
    const ended = [...sessions.values()].filter(
      ({ owner }) => owner.identityProvider === identityProvider && owner.principal.name === name,
    );
    for (const { id } of ended) sessions.delete(id);
    const granted = memory.ofOwner(name, identityProvider, now);
    for (const { id } of granted) await grants.revoke(id, now);
    return { sessions: ended.filter(({ expires }) => expires > now).length, grants: granted.length };
  };

  const accessTokens: AccessTokenStore = {
    async insert(token) {
      if (token.grantId !== undefined) throw new Error('a token of a grant must be stored with its grant');
      tokens.set(token.id, token);
    },
    async find(id) {
      lookups.push(id);
      return withGrant(tokens.get(id));
    },
    async revoke(id) {
      const token = tokens.get(id);
      tokens.delete(id);
      tokenIsGone(token);
      return token !== undefined;
    },
    list: async ({ clientRecordId, after = '', limit }) =>
      [...tokens.values()]
        .filter((token) => clientRecordId === undefined || token.clientRecordId === clientRecordId)
        .filter(({ id }) => id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap((token) => withGrant(token) ?? [])
        .slice(0, limit),
    scan: memoryTokenScan(tokens, memory),
  };

  const accounts = new Map<string, Account>();
  const accountStore = memoryAccounts(accounts, endAll, (owner) => {
    memory.remembered.forgetName(owner);
  });
  const auditEvents = memoryAuditEvents(events);
  const changeCounts = new Map<string, ChangeCount>();
  const ownerChanges = memoryOwnerChanges(changeCounts);
  const clientStore = memoryClients(records);
  const resourceServers = memoryResourceServers(records);
  const issuedTokens = memoryIssuedTokens(tokens, sessions, memory);
  const counted = { tokens, clients, servers };
  const issued = new Map<string, IssuedCount>();

  return {
    grantList: memoryGrantList(tokens, clients, memory),
    grants,
    authorizationCodes,
    refreshTokens,
    consents,
    consentAnswers,
    accessTokens,
    auditEvents,
    clients: clientStore,
    resourceServers,
    statistics: memoryStatistics(counted, memory, issued),
    readSnapshot: memorySnapshot(counted, memory, issued),
    transact: memoryTransact(
      {
        resourceServers,
        clients: clientStore,
        issuedTokens,
        accounts: accountStore,
        auditEvents,
        ownerChanges,
        grants: memoryEndedGrants(memory),
      },
      { maps: [tokens, clients, servers, sessions, accounts, changeCounts], list: events, remember },
    ),
    loginSessions: memoryLoginSessions(sessions, events),
    identityProviderUse: memoryIdentityProviders(sessions, memory),
    oneTime: memoryOneTime(),
    sealingKeys: memorySealingKeys(),
    sessionLinks: memorySessionLinks(),
    subjectKey: memorySubjectKey(),
    tokens,
    lookups,
    accounts: accountStore,
    loginAttempts: memoryLoginAttempts(),
    putClient(client) {
      clients.set(client.id, client);
      return client;
    },
    putResourceServer(server) {
      servers.set(server.id, server);
      return server;
    },

    registry: {
      clientByClientId,
      clientById: (id) => clients.get(id),
      resourceServerByKey: serverByKey,
      resourceServerById: (id) => servers.get(id),
      countResourceServers: (owner) =>
        [...servers.values()].filter((server) => owner === undefined || isOwnedBy(owner, server)).length,
      countClients: (of) =>
        [...clients.values()].filter(({ resourceServerId }) => {
          if (of === undefined) return true;
          return 'owner' in of
            ? isOwnedBy(of.owner, servers.get(resourceServerId))
            : resourceServerId === of.resourceServerId;
        }).length,
      isPublicClientOrigin: (origin) =>
        [...clients.values()]
          .filter(isPublicClient)
          .some(({ redirectUris }) =>
            redirectUris.some((uri) => redirectUriOrigin(uri) === scriptOrigin(origin)),
          ),
    },
  };
}
