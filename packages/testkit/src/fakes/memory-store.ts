import type {
  AccessToken,
  AccessTokenStore,
  AccountStore,
  AuthorizationCodeStore,
  Client,
  ClientStore,
  ConsentStore,
  EndedByChange,
  GrantStore,
  Identity,
  LoginAttemptStore,
  LoginSession,
  LoginSessionStore,
  RefreshTokenStore,
  Registry,
  ResourceServer,
  ResourceServerStore,
  SealingKeyStore,
} from '@watchword/protocol';
import { memoryAccounts } from './memory-accounts.ts';
import { memoryGrants } from './memory-grants.ts';
import { memoryLoginAttempts } from './memory-login-attempts.ts';
import { memoryLoginSessions } from './memory-login-sessions.ts';
import { memorySealingKeys } from './memory-sealing-keys.ts';

/** A store for tests of the rules. It passes the conformance suite, so that the rules are told no lies. */
export interface MemoryStore {
  readonly accessTokens: AccessTokenStore;
  readonly accounts: AccountStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly clients: ClientStore;
  readonly consents: ConsentStore;
  readonly grants: GrantStore;
  readonly loginAttempts: LoginAttemptStore;
  readonly loginSessions: LoginSessionStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly resourceServers: ResourceServerStore;
  readonly sealingKeys: SealingKeyStore;
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
  const { withGrant, tokenIsGone, ...grantStores } = memoryGrants(tokens);
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
    if (client !== undefined) clients.set(id, change(client));
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

  return {
    ...grantStores,
    loginSessions: memoryLoginSessions(sessions),
    sealingKeys: memorySealingKeys(),
    tokens,
    lookups,
    accounts: memoryAccounts(endAll),
    loginAttempts: memoryLoginAttempts(),
    putClient(client) {
      clients.set(client.id, client);
      return client;
    },
    putResourceServer(server) {
      servers.set(server.id, server);
      return server;
    },

    accessTokens: {
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
    },

    clients: {
      async create(client, candidates) {
        if (!servers.has(client.resourceServerId)) return undefined;
        const clientId = firstFree(candidates, clientByClientId);
        const created = { ...client, id: nextId(), clientId };
        clients.set(created.id, created);
        return created;
      },
      delete: async (id) => clients.delete(id),
      replaceSecret: async (id, secret) => changeClient(id, (client) => ({ ...client, secret })),
      revokeTokens: async (id, moment) =>
        changeClient(id, (client) => ({
          ...client,
          tokensValidFrom: Math.max(client.tokensValidFrom, moment),
        })),
      find: async (clientId) => clientByClientId(clientId),
      findByIds: async (ids) => [...clients.values()].filter(({ id }) => ids.includes(id)),
      list: async ({ resourceServerId, ...page }) =>
        pageOf(
          [...clients.values()].filter(
            (client) => resourceServerId === undefined || client.resourceServerId === resourceServerId,
          ),
          page,
        ),
    },

    resourceServers: {
      async create(server, candidates) {
        const taken = [...servers.values()].some(
          ({ owner, name }) => owner === server.owner && name === server.name,
        );
        if (taken) return undefined;
        const created = { ...server, id: nextId(), key: firstFree(candidates, serverByKey) };
        servers.set(created.id, created);
        return created;
      },
      async delete(id) {
        for (const client of clients.values()) {
          if (client.resourceServerId === id) clients.delete(client.id);
        }
        return servers.delete(id);
      },
      async replaceSecret(id, secret) {
        const server = servers.get(id);
        if (server !== undefined) servers.set(id, { ...server, secret });
        return server !== undefined;
      },
      find: async (key) => serverByKey(key),
      list: async (page) => pageOf([...servers.values()], page),
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
