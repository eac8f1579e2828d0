import {
  type FormerResource,
  formerResources,
  type NewResourceServer,
  type ResourceServer,
  type ResourceServerStore,
} from '@watchword/protocol';
import {
  canContain,
  firstFree,
  isOwnedBy,
  type MemoryRecords,
  memoryManaged,
  pageOf,
} from './memory-records.ts';

export function memoryResourceServers(records: MemoryRecords): ResourceServerStore {
  const { clients, servers, nextId, nextRevision, serverByKey, now } = records;
  const former = new Map<number, { key: string; uris: readonly FormerResource[] }>();
  const loseUris = (before: ResourceServer, after: ResourceServer | undefined): void => {
    const { id, key } = before;
    former.set(id, { key, uris: formerResources(former.get(id)?.uris ?? [], before, after, now()) });
  };
  const namesake = ({ owner, ownerAuthority, name }: NewResourceServer): ResourceServer | undefined =>
    [...servers.values()].find(
      (server) => server.owner === owner && server.ownerAuthority === ownerAuthority && server.name === name,
    );

  return {
    async create(server, candidates) {
      if (namesake(server) !== undefined) return undefined;
      const key = firstFree(candidates, serverByKey);
      const created = { managedBy: '', ...server, id: nextId(), key, revision: nextRevision() };
      servers.set(created.id, created);
      return created;
    },
    async update(id, change) {
      const current = servers.get(id);
      if (current === undefined) return undefined;
      const updated = { ...current, ...change, revision: nextRevision() };
      if ((namesake(updated) ?? current).id !== id) return undefined;
      loseUris(current, updated);
      servers.set(id, updated);
      return updated;
    },
    async delete(id) {
      for (const client of clients.values()) {
        if (client.resourceServerId === id) records.deleteClient(client.id);
      }
      const server = servers.get(id);
      if (server !== undefined) loseUris(server, undefined);
      return servers.delete(id);
    },
    async replaceSecret(id, secret) {
      const server = servers.get(id);
      if (server !== undefined) servers.set(id, { ...server, secret, revision: nextRevision() });
      return server !== undefined;
    },
    find: async (key) => serverByKey(key),
    findById: async (id) => servers.get(id),
    async countRecords(owner, most) {
      const own = [...servers.values()].filter((server) => isOwnedBy(owner, server));
      const ids = new Set(own.map(({ id }) => id));
      const below = [...clients.values()].filter(({ resourceServerId }) => ids.has(resourceServerId));
      return Math.min(own.length + below.length, most);
    },
    list: async ({ owner, mayContain, ...page }) =>
      pageOf(
        [...servers.values()]
          .filter((server) => owner === undefined || isOwnedBy(owner, server))
          .filter(() => canContain(mayContain)),
        page,
      ),
    ...memoryManaged(servers),
    listUris: async () => [
      ...[...servers.values()].flatMap(({ id, key, resources }) =>
        resources.map((uri) => ({ uri, id, key, until: undefined })),
      ),
      ...[...former].flatMap(([id, { key, uris }]) =>
        uris.filter(({ until }) => until > now()).map((uri) => ({ ...uri, id, key })),
      ),
    ],
    count: async () => servers.size,
  };
}
