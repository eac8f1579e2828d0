import { type AdminClient, type ClientChange, type PageQuery, readAll } from '@watchword/admin-client';
import type { ClientRegistration } from '@watchword/protocol';
import type { ClientTools } from '../administration.ts';
import { firstOf } from '../paging.ts';
import { errorRow } from '../records.ts';
import type { RecordFinder } from './find-records.ts';

export function remoteClients(admin: AdminClient, find: RecordFinder): ClientTools {
  return {
    async list({ resourceServer: key, after, limit }) {
      if (key !== undefined) {
        const server = await find.resourceServer(key);
        const found = await find.clientsOf(server);
        const wanted = found.filter(({ id }) => id > after);
        const withKey = wanted.map((client) => ({ ...client, resourceserver_key: server.key }));
        return firstOf(withKey, limit, found.length);
      }
      // The list is ordered by id, so without `after` the first page is the result.
      const most = after === 0 ? limit : undefined;
      const { items, isComplete, total } = await readAll((page) => admin.clients.listAll(page), most);
      const keys = new Map((await find.resourceServers()).map((server) => [server.id, server.key]));
      const wanted = items.filter(({ id }) => id > after);
      const withKeys = wanted.map((client) => ({
        ...client,
        resourceserver_key: keys.get(client.resourceserver_id) ?? null,
      }));
      const first = firstOf(withKeys, limit, total);
      return { ...first, hasMore: first.hasMore || !isComplete };
    },
    find: find.client,
    async create(key, fields, clientId) {
      const { secret, ...created } = await admin.clients.create((await find.resourceServer(key)).id, {
        ...fields,
        ...(clientId !== undefined && { clientId }),
      });
      return { client: created, secret };
    },
    async update(clientId, changed) {
      const current = await find.client(clientId);
      const address = { id: current.id, resourceServerId: current.resourceserver_id };
      return (await admin.clients.update(address, replacing(current, changed))).record;
    },
    confirm: async (clientId) => (await admin.clients.confirm(await find.addressOf(clientId))).record,
    async errors(clientId, limit) {
      const wanted = (await find.client(clientId)).clientId;
      const list = (page: PageQuery) => admin.requestErrors.list({ ...page, clientId: wanted });
      const { items, isComplete, total } = await readAll(list, limit);
      return { rows: items.map(errorRow), hasMore: !isComplete, total };
    },
    async dependents(clientId) {
      const [{ id }, counted] = await Promise.all([find.client(clientId), find.countedClients()]);
      const { tokens, isLeast } = counted.items.find((candidate) => candidate.id === id) ?? {
        tokens: 0,
        isLeast: !counted.isComplete,
      };
      return { tokens, isLeast };
    },
    delete: async (clientId) => admin.clients.delete(await find.addressOf(clientId)),
    rotateSecret: async (clientId, overlap) =>
      (await admin.clients.rotateSecret(await find.addressOf(clientId), { overlap })).secret ?? '',
    revokeTokens: async (clientId) => admin.clients.revokeTokens(await find.addressOf(clientId)),
  };
}

/** The merge patch that replaces objects as a whole: `null` removes a member (RFC 7396 §1). */
function replacing(current: object, changed: Partial<ClientRegistration>): Partial<ClientChange> {
  const before = current as Readonly<Record<string, object>>;
  return Object.fromEntries(
    Object.entries(changed).map(([name, value]) => {
      if (typeof value !== 'object' || Array.isArray(value)) return [name, value];
      const removed = Object.keys(before[name] ?? {}).map((member) => [member, null]);
      return [name, { ...Object.fromEntries(removed), ...value }];
    }),
  );
}
