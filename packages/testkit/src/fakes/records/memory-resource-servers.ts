import type { NewResourceServer, ResourceServer, ResourceServerStore } from '@watchword/protocol';
import {
  canContain,
  firstFree,
  isOwnedBy,
  type MemoryRecords,
  memoryManaged,
  pageOf,
} from './memory-records.ts';

export function memoryResourceServers(records: MemoryRecords): ResourceServerStore {
  const { clients, servers, nextId, nextRevision, serverByKey } = records;
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
      servers.set(id, updated);
      return updated;
    },
    async delete(id) {
      for (const client of clients.values()) {
        if (client.resourceServerId === id) records.deleteClient(client.id);
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
    listManaged: memoryManaged(servers),
    listWithResources: async () => [...servers.values()].filter(({ resources }) => resources.length > 0),
    count: async () => servers.size,
  };
}
