import {
  type Client,
  type ClientQuery,
  type ClientStore,
  formerResourceServers,
  latestCreationDate,
  type ResourceServer,
} from '@watchword/protocol';
import {
  canContain,
  firstFree,
  isOwnedBy,
  type MemoryRecords,
  memoryManaged,
  pageOf,
} from './memory-records.ts';

export function memoryClients(records: MemoryRecords): ClientStore {
  const { clients, servers, nextId, nextRevision, clientByClientId } = records;
  const change = (id: number, changed: (client: Client) => Client): boolean => {
    const client = clients.get(id);
    if (client !== undefined) clients.set(id, { ...changed(client), revision: nextRevision() });
    return client !== undefined;
  };
  const withScopes = (resourceServerId: number, scopes: readonly string[]): Client[] =>
    [...clients.values()]
      .filter((client) => client.resourceServerId === resourceServerId)
      .filter((client) => client.scopes.some((scope) => scopes.includes(scope)));

  const create: ClientStore['create'] = async (client, candidates) => {
    if (!servers.has(client.resourceServerId)) return undefined;
    const clientId = firstFree(candidates, clientByClientId);
    const ends = records.deleted.filter((each) => each.clientId === clientId).map((each) => each.revokedAt);
    const tokensValidFrom = Math.max(client.tokensValidFrom, ...ends);
    const kept = { id: nextId(), clientId, formerResourceServers: [], revision: nextRevision() };
    const created = { managedBy: '', ...client, ...kept, tokensValidFrom };
    clients.set(created.id, created);
    return created;
  };

  return {
    create,
    async createAll(added) {
      const created: Client[] = [];
      for (const { clientId, ...client } of added) {
        const each = await create(client, [clientId]);
        if (each === undefined) throw new Error('a resource server is deleted');
        created.push(each);
      }
      return created;
    },
    async update(id, changed) {
      change(id, (client) => {
        const after = { ...client, ...changed };
        return { ...after, formerResourceServers: formerResourceServers(client, after, records.now()) };
      });
      return clients.get(id);
    },
    async loseScopes(resourceServerId, scopes) {
      const affected = withScopes(resourceServerId, scopes);
      for (const { id } of affected) {
        change(id, (client) => ({
          ...client,
          scopes: client.scopes.filter((scope) => !scopes.includes(scope)),
        }));
      }
      return affected;
    },
    async endTrust(resourceServerId, scopes) {
      const affected = withScopes(resourceServerId, scopes).filter(
        ({ skipConsent, trusted, keepsUserData }) => skipConsent || trusted || keepsUserData,
      );
      for (const { id } of affected) {
        change(id, (client) => ({ ...client, skipConsent: false, trusted: false, keepsUserData: false }));
      }
      return affected;
    },
    delete: async (id) => records.deleteClient(id),
    replaceSecret: async (id, secret) => change(id, (client) => ({ ...client, secret })),
    revokeTokens: async (id, time) =>
      change(id, (client) => ({ ...client, tokensValidFrom: latestCreationDate(client, time) })),
    find: async (clientId) => clientByClientId(clientId),
    findById: async (id) => clients.get(id),
    findByIds: async (ids) => [...clients.values()].filter(({ id }) => ids.includes(id)),
    findByClientIds: async (names) =>
      [...clients.values()].filter(({ clientId }) => names.includes(clientId)),
    ...memoryManaged(clients),
    list: memoryClientList(records),
    count: async (of) => [...clients.values()].filter(isSelected(of)).length,
  };
}

export function memoryClientList({
  clients,
  servers,
}: {
  readonly clients: ReadonlyMap<number, Client>;
  readonly servers: ReadonlyMap<number, ResourceServer>;
}): ClientStore['list'] {
  return async ({ owner, mayContain, ...page }) =>
    pageOf(
      [...clients.values()]
        .filter(() => canContain(mayContain))
        .filter(isSelected(page))
        .filter((client) => owner === undefined || isOwnedBy(owner, servers.get(client.resourceServerId))),
      page,
    );
}

function isSelected({ resourceServerId: home, otherResourceServerId: other }: Omit<ClientQuery, 'limit'>) {
  return ({ resourceServerId, otherResourceServers }: Client) =>
    (home === undefined || resourceServerId === home) &&
    (other === undefined || otherResourceServers.some((entry) => entry.resourceServerId === other));
}
