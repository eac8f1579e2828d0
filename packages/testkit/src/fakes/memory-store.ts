import type {
  AccessToken,
  AccessTokenStore,
  Account,
  AccountStore,
  AuditEvent,
  AuditEventStore,
  AuthorizationCodeStore,
  Client,
  ClientStore,
  ConsentStore,
  EndedByChange,
  GrantStore,
  Identity,
  IdentityProviderStore,
  LoginAttemptStore,
  LoginSession,
  LoginSessionStore,
  NewResourceServer,
  OneTimeStore,
  RefreshTokenStore,
  Registry,
  ResourceServer,
  ResourceServerStore,
  SealingKeyStore,
  SessionLinkStore,
  StatisticsStore,
  Transact,
} from '@watchword/protocol';
import { memoryAccounts } from './memory-accounts.ts';
import { memoryAuditEvents } from './memory-audit-events.ts';
import { memoryGrants } from './memory-grants.ts';
import { memoryIdentityProviders } from './memory-identity-providers.ts';
import { memoryIssuedTokens, memoryTokenScan } from './memory-issued-tokens.ts';
import { memoryLoginAttempts } from './memory-login-attempts.ts';
import { memoryLoginSessions } from './memory-login-sessions.ts';
import { memoryOneTime } from './memory-one-time.ts';
import { memorySealingKeys } from './memory-sealing-keys.ts';
import { memorySessionLinks } from './memory-session-links.ts';
import { memoryStatistics } from './memory-statistics.ts';
import { memoryTransact } from './memory-transact.ts';

/** A store for tests of the rules. It passes the conformance suite, so that the rules are told no lies. */
export interface MemoryStore {
  readonly accessTokens: AccessTokenStore;
  readonly accounts: AccountStore;
  readonly auditEvents: AuditEventStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly clients: ClientStore;
  readonly consents: ConsentStore;
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
  readonly sessionLinks: SessionLinkStore;
  /** Never behind: the same records. */
  readonly registry: Registry;
  /** Access tokens that lie in the store now, by id. */
  readonly tokens: Map<string, AccessToken>;
  /** Ids that were looked up. */
  readonly lookups: string[];
  /** Puts a record in as it is, valid or not. */
  putClient(client: Client): Client;
  putResourceServer(resourceServer: ResourceServer): ResourceServer;
}

export function memoryStore(): MemoryStore {
  const tokens = new Map<string, AccessToken>();
  const clients = new Map<number, Client>();
  const servers = new Map<number, ResourceServer>();
  const sessions = new Map<string, LoginSession>();
  const lookups: string[] = [];
  const events: AuditEvent[] = [];
  const memory = memoryGrants(tokens, events);
  const {
    withGrant,
    tokenIsGone,
    outlive: _outlive,
    ofOwner: _ofOwner,
    ofClient: _ofClient,
    living: _living,
    consentKeys: _consentKeys,
    forget: _forget,
    remember,
    ...grantStores
  } = memory;
  let lastRevision = 1;
  const nextRevision = () => {
    lastRevision += 1;
    return lastRevision;
  };
  let lastId = 1000;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  const clientByClientId = (clientId: string) =>
    [...clients.values()].find((client) => client.clientId === clientId);
  const serverByKey = (key: string) => [...servers.values()].find((server) => server.key === key);
  const changeClient = (id: number, change: (client: Client) => Client): boolean => {
    const client = clients.get(id);
    if (client !== undefined) clients.set(id, { ...change(client), revision: nextRevision() });
    return client !== undefined;
  };

  const endAll = async ({ authority, name }: Identity, now: number): Promise<EndedByChange> => {
    const ended = [...sessions.values()].filter(
      ({ owner }) => owner.authority === authority && owner.principal.name === name,
    );
    for (const { id } of ended) sessions.delete(id);
    const grants = await grantStores.grants.listByOwner({ authority, name }, now);
    for (const { grant } of grants) await grantStores.grants.revoke(grant.id, now);
    return { sessions: ended.filter(({ expires }) => expires > now).length, grants: grants.length };
  };

  const accessTokens: AccessTokenStore = {
    async insert(token) {
      if (token.grantId !== undefined) throw new Error('a token under a grant is stored together with it');
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

  const clientStore: ClientStore = {
    async create(client, candidates) {
      if (!servers.has(client.resourceServerId)) return undefined;
      const clientId = firstFree(candidates, clientByClientId);
      const created = { ...client, id: nextId(), clientId, revision: nextRevision() };
      clients.set(created.id, created);
      return created;
    },
    async update(id, change) {
      changeClient(id, (client) => ({ ...client, ...change }));
      return clients.get(id);
    },
    async loseScopes(resourceServerId, scopes) {
      const affected = [...clients.values()]
        .filter((client) => client.resourceServerId === resourceServerId)
        .filter((client) => client.scopes.some((scope) => scopes.includes(scope)));
      for (const { id } of affected) {
        changeClient(id, (client) => ({
          ...client,
          scopes: client.scopes.filter((scope) => !scopes.includes(scope)),
        }));
      }
      return affected;
    },
    delete: async (id) => clients.delete(id),
    replaceSecret: async (id, secret) => changeClient(id, (client) => ({ ...client, secret })),
    revokeTokens: async (id, moment) =>
      changeClient(id, (client) => ({
        ...client,
        tokensValidFrom: Math.max(client.tokensValidFrom, moment),
      })),
    find: async (clientId) => clientByClientId(clientId),
    findById: async (id) => clients.get(id),
    findByIds: async (ids) => [...clients.values()].filter(({ id }) => ids.includes(id)),
    list: async ({ resourceServerId, owner, ...page }) =>
      pageOf(
        [...clients.values()]
          .filter((client) => resourceServerId === undefined || client.resourceServerId === resourceServerId)
          .filter((client) => owner === undefined || isOwnedBy(owner, servers.get(client.resourceServerId))),
        page,
      ),
  };

  const namesake = ({ owner, ownerAuthority, name }: NewResourceServer): ResourceServer | undefined =>
    [...servers.values()].find(
      (server) => server.owner === owner && server.ownerAuthority === ownerAuthority && server.name === name,
    );
  const resourceServers: ResourceServerStore = {
    async create(server, candidates) {
      if (namesake(server) !== undefined) return undefined;
      const key = firstFree(candidates, serverByKey);
      const created = { ...server, id: nextId(), key, revision: nextRevision() };
      servers.set(created.id, created);
      return created;
    },
    async update(id, change) {
      const current = servers.get(id);
      if (current === undefined) return undefined;
      const updated = { ...current, ...change, revision: nextRevision() };
      if ((namesake(updated) ?? current).id !== id) return undefined;
      servers.set(id, updated);
      return updated;
    },
    async delete(id) {
      for (const client of clients.values()) {
        if (client.resourceServerId === id) clients.delete(client.id);
      }
      return servers.delete(id);
    },
    async replaceSecret(id, secret) {
      const server = servers.get(id);
      if (server !== undefined) servers.set(id, { ...server, secret, revision: nextRevision() });
      return server !== undefined;
    },
    find: async (key) => serverByKey(key),
    findById: async (id) => servers.get(id),
    list: async ({ owner, ...page }) =>
      pageOf(
        [...servers.values()].filter((server) => owner === undefined || isOwnedBy(owner, server)),
        page,
      ),
  };

  const accounts = new Map<string, Account>();
  const accountStore = memoryAccounts(accounts, endAll);
  const auditEvents = memoryAuditEvents(events);
  const issuedTokens = memoryIssuedTokens(tokens, sessions, memory);

  return {
    ...grantStores,
    accessTokens,
    auditEvents,
    clients: clientStore,
    resourceServers,
    statistics: memoryStatistics({ tokens, clients, servers }, memory),
    transact: memoryTransact(
      { resourceServers, clients: clientStore, issuedTokens, accounts: accountStore, auditEvents },
      { maps: [tokens, clients, servers, sessions, accounts], list: events, remember },
    ),
    loginSessions: memoryLoginSessions(sessions, events),
    identityProviderUse: memoryIdentityProviders(sessions, memory),
    oneTime: memoryOneTime(),
    sealingKeys: memorySealingKeys(),
    sessionLinks: memorySessionLinks(),
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
      // Private-use schemes have the origin `null`, which is nobody's.
      isPublicClientOrigin: (origin) =>
        origin !== 'null' &&
        [...clients.values()]
          .filter(({ allowedImplicitGrant }) => allowedImplicitGrant)
          .some(({ redirectUris }) => redirectUris.some((uri) => new URL(uri).origin === origin)),
    },
  };
}

function isOwnedBy({ name, authority }: Identity, server: ResourceServer | undefined): boolean {
  return server?.owner === name && server.ownerAuthority === authority;
}

function firstFree(candidates: Iterable<string>, holder: (candidate: string) => unknown): string {
  for (const candidate of candidates) if (holder(candidate) === undefined) return candidate;
  throw new Error('every candidate is taken');
}

function pageOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
  { after = 0, limit }: { readonly after?: number; readonly limit: number },
): Row[] {
  return rows
    .filter(({ id }) => id > after)
    .toSorted((a, b) => a.id - b.id)
    .slice(0, limit);
}
