import {
  type AdminClient,
  type ClientChange,
  type ClientSecretDetails,
  type PageQuery,
  readAll,
} from '@watchword/admin-client';
import type { ClientRegistration } from '@watchword/protocol';
import type { ListedRows } from '../command/output.ts';
import { firstOf, type ListOptions } from '../command/paging.ts';
import type { Dependents } from './dependents.ts';
import type { RecordFinder } from './find-records.ts';
import type { OnDatabase } from './on-database.ts';
import { errorRow } from './records.ts';

export interface ListedClients extends ListOptions<number> {
  /** Key of one resource server; default: all. */
  readonly resourceServer: string | undefined;
}

export function clientTools(admin: AdminClient, find: RecordFinder, onDatabase?: OnDatabase) {
  return {
    /** By id, each with the key of its resource server as `resourceserver_key`. */
    async list({ resourceServer: key, after, limit }: ListedClients): Promise<ListedRows> {
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
    resourceServerId: find.resourceServerId,
    /** The one with the clientId, or else with the name, among those of the resource server. */
    async named(key: string, name: string, clientId: string | undefined) {
      const { id } = await find.resourceServer(key);
      const { items } = await readAll((page) => admin.clients.list(id, { ...page, q: clientId ?? name }));
      return items.find((candidate) =>
        clientId === undefined ? candidate.clientName === name : candidate.clientId === clientId,
      );
    },
    /** @param clientId `undefined` for one that is made from the name */
    async create(key: string, fields: Partial<ClientRegistration>, clientId: string | undefined) {
      const { id } = await find.resourceServer(key);
      const named = clientId === undefined ? fields : { ...fields, clientId };
      const { secret, ...client } = await admin.clients.create(id, named);
      return { client, secret };
    },
    async update(clientId: string, changed: Partial<ClientRegistration>) {
      const current = await find.client(clientId);
      const address = { id: current.id, resourceServerId: current.resourceserver_id };
      return (await admin.clients.update(address, replacing(current, changed))).record;
    },
    /** Confirms the record as it is, so that it is trusted. */
    confirm: async (clientId: string) => (await admin.clients.confirm(await find.addressOf(clientId))).record,
    /** Why its requests were refused in the last day, the newest first. */
    async errors(clientId: string, limit: number): Promise<ListedRows> {
      const wanted = (await find.client(clientId)).clientId;
      const list = (page: PageQuery) => admin.requestErrors.list({ ...page, clientId: wanted });
      const { items, isComplete, total } = await readAll(list, limit);
      return { rows: items.map(errorRow), hasMore: !isComplete, total };
    },
    /** What would die with it. */
    async dependents(clientId: string): Promise<Dependents> {
      const { id } = await find.client(clientId);
      if (onDatabase !== undefined) return onDatabase.dependentsOfClient(id);
      const counted = await find.countedClients();
      const { tokens, isLeast } = counted.items.find((candidate) => candidate.id === id) ?? {
        tokens: 0,
        isLeast: !counted.isComplete,
      };
      return { tokens, isLeast };
    },
    delete: async (clientId: string) => admin.clients.delete(await find.addressOf(clientId)),
    rotateSecret: async (clientId: string, overlap: number) =>
      (await admin.clients.rotateSecret(await find.addressOf(clientId), { overlap })).secret ?? '',
    ...clientSecretTools(admin, find),
    revokeTokens: async (clientId: string) => admin.clients.revokeTokens(await find.addressOf(clientId)),
  };
}

/** The secrets of a client one by one. */
function clientSecretTools({ clientSecrets }: AdminClient, find: RecordFinder) {
  return {
    /** The newest first. */
    async secrets(clientId: string, limit: number): Promise<ListedRows> {
      const address = await find.addressOf(clientId);
      const { items, isComplete, total } = await readAll((page) => clientSecrets.list(address, page), limit);
      return { rows: items.map((each) => ({ ...each })), hasMore: !isComplete, total };
    },
    addSecret: async (clientId: string, details: ClientSecretDetails) =>
      clientSecrets.add(await find.addressOf(clientId), details),
    updateSecret: async (clientId: string, secretId: number, details: ClientSecretDetails) =>
      clientSecrets.update({ ...(await find.addressOf(clientId)), secretId }, details),
    removeSecret: async (clientId: string, secretId: number, isLastToo: boolean) =>
      clientSecrets.remove({ ...(await find.addressOf(clientId)), secretId }, isLastToo || undefined),
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
