import type { AdminClient } from '@watchword/admin-client';
import type { ResourceServerTools } from '../administration.ts';
import { UsageError } from '../usage-error.ts';
import { type RecordFinder, rows } from './find-records.ts';

export function remoteResourceServers(admin: AdminClient, find: RecordFinder): ResourceServerTools {
  return {
    async list({ after, limit }) {
      const found = await find.resourceServers();
      return rows(found.filter(({ id }) => id > after).slice(0, limit));
    },
    find: find.resourceServer,
    async create(fields, owner) {
      rejectOwner(owner);
      const { secret = '', ...created } = await admin.resourceServers.create(fields);
      return { ...created, secret };
    },
    async update(key, changed, owner) {
      rejectOwner(owner);
      return (await admin.resourceServers.update((await find.resourceServer(key)).id, changed)).record;
    },
    async dependents(key) {
      const server = await find.resourceServer(key);
      const [clients, counted] = await Promise.all([find.clientsOf(server), find.countedClients()]);
      const own = counted.items.filter(({ resourceserver_id }) => resourceserver_id === server.id);
      return {
        clients: clients.length,
        tokens: own.reduce((sum, client) => sum + client.tokens, 0),
        isLeast: !counted.isComplete || own.some(({ isLeast }) => isLeast),
      };
    },
    delete: async (key) => admin.resourceServers.delete((await find.resourceServer(key)).id),
    async rotateSecret(key, overlap) {
      const { id } = await find.resourceServer(key);
      return (await admin.resourceServers.rotateSecret(id, { overlap })).secret ?? '';
    },
  };
}

function rejectOwner(owner: unknown): void {
  if (owner === undefined) return;
  throw new UsageError('--owner: with --url a new record belongs to the caller; leave out --owner');
}
