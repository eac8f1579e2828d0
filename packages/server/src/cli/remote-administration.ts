import { type AdminClient, type Client, type ResourceServer, readAll } from '@watchword/admin-client';
import type { Administration } from './administration.ts';
import { identityProviderNamed, noClient, noResourceServer } from './not-found.ts';
import type { Row } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Reading more tokens than that to find the oldest would be for nobody's good. */
const mostTokens = 20_000;

/** Clients whose tokens are counted to warn of their end. */
const mostCounted = 2000;

/** On a server, over its administration REST interface: of what is the caller's, of everything for administrators. */
export function remoteAdministration(admin: AdminClient): Administration {
  const allResourceServers = async () => (await readAll((page) => admin.resourceServers.list(page))).items;

  async function resourceServer(key: string): Promise<ResourceServer> {
    const { items } = await readAll((page) => admin.resourceServers.list({ ...page, q: key }));
    const found = items.find((candidate) => candidate.key === key);
    if (found === undefined) throw noResourceServer();
    return found;
  }

  async function clientsOf({ id }: ResourceServer): Promise<readonly Client[]> {
    return (await readAll((page) => admin.clients.list(id, page))).items;
  }

  async function client(clientId: string): Promise<Client> {
    const { items } = await readAll((page) => admin.clients.listAll({ ...page, q: clientId }));
    const found = items.find((candidate) => candidate.clientId === clientId);
    if (found === undefined) throw noClient();
    return found;
  }

  function countedClients() {
    return readAll(async ({ cursor }) => {
      const { clients, countLimit, next } = await admin.statistics({ cursor, limit: 100, hours: 1 });
      return { items: clients.map((client) => ({ ...client, isLeast: client.tokens >= countLimit })), next };
    }, mostCounted);
  }

  const allIdentityProviders = async () =>
    (await readAll((page) => admin.identityProviders.list(page))).items;

  const addressOf = async (clientId: string) => {
    const { id, resourceserver_id } = await client(clientId);
    return { id, resourceServerId: resourceserver_id };
  };

  return {
    effect: 'at once',
    resourceServers: {
      async list({ after, limit }) {
        const found = await allResourceServers();
        return rows(found.filter(({ id }) => id > after).slice(0, limit));
      },
      find: resourceServer,
      async create(fields, owner) {
        refuseOwner(owner);
        const { secret = '', ...created } = await admin.resourceServers.create(fields);
        return { ...created, secret };
      },
      async update(key, changed, owner) {
        refuseOwner(owner);
        return (await admin.resourceServers.update((await resourceServer(key)).id, changed)).record;
      },
      async dependents(key) {
        const server = await resourceServer(key);
        const [clients, counted] = await Promise.all([clientsOf(server), countedClients()]);
        const own = counted.items.filter(({ resourceserver_id }) => resourceserver_id === server.id);
        const tokens = own.reduce((sum, client) => sum + client.tokens, 0);
        return {
          clients: clients.length,
          tokens,
          isLeast: !counted.isComplete || own.some(({ isLeast }) => isLeast),
        };
      },
      delete: async (key) => admin.resourceServers.delete((await resourceServer(key)).id),
      async rotateSecret(key, overlap) {
        const { id } = await resourceServer(key);
        return (await admin.resourceServers.rotateSecret(id, { overlap })).secret ?? '';
      },
    },
    clients: {
      async list({ resourceServer: key, after, limit }) {
        if (key !== undefined) {
          const server = await resourceServer(key);
          const wanted = (await clientsOf(server)).filter(({ id }) => id > after).slice(0, limit);
          return rows(wanted.map((client) => ({ ...client, resourceserver_key: server.key })));
        }
        // By id: the first of them are all that is asked for.
        const { items } = await readAll(
          (page) => admin.clients.listAll(page),
          after === 0 ? limit : undefined,
        );
        const keys = new Map((await allResourceServers()).map((server) => [server.id, server.key]));
        const wanted = items.filter(({ id }) => id > after).slice(0, limit);
        return rows(
          wanted.map((client) => ({
            ...client,
            resourceserver_key: keys.get(client.resourceserver_id) ?? null,
          })),
        );
      },
      find: client,
      async create(key, fields) {
        const { secret, ...created } = await admin.clients.create((await resourceServer(key)).id, fields);
        return { client: created, secret };
      },
      async update(clientId, { attributes, ...changed }) {
        const current = await client(clientId);
        const address = { id: current.id, resourceServerId: current.resourceserver_id };
        const merged = attributes && { ...removed(current.attributes), ...attributes };
        const { record } = await admin.clients.update(address, {
          ...changed,
          ...(merged && { attributes: merged }),
        });
        return record;
      },
      confirm: async (clientId) => (await admin.clients.confirm(await addressOf(clientId))).record,
      async dependents(clientId) {
        const [{ id }, counted] = await Promise.all([client(clientId), countedClients()]);
        const { tokens, isLeast } = counted.items.find((candidate) => candidate.id === id) ?? {
          tokens: 0,
          isLeast: !counted.isComplete,
        };
        return { tokens, isLeast };
      },
      delete: async (clientId) => admin.clients.delete(await addressOf(clientId)),
      rotateSecret: async (clientId, overlap) =>
        (await admin.clients.rotateSecret(await addressOf(clientId), { overlap })).secret ?? '',
      revokeTokens: async (clientId) => admin.clients.revokeTokens(await addressOf(clientId)),
    },
    accessTokens: {
      async list({ client: clientId, after = '', limit }) {
        const { items, isComplete } = await readAll(
          (page) => admin.accessTokens.list({ ...page, clientId }),
          mostTokens,
        );
        if (!isComplete) {
          throw new UsageError(
            `token list: there are more than ${mostTokens} tokens, too many to read over the network. Name a client with --client, or run this on the database.`,
          );
        }
        const wanted = items.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
        return rows(wanted.slice(0, limit));
      },
      find: async (id) => (await admin.accessTokens.get(id)).record,
      issue: (clientId, scopes) => admin.accessTokens.create({ clientId, ...(scopes && { scopes }) }),
      update: async (id, changed) => (await admin.accessTokens.update(id, changed)).record,
      revoke: (id) => admin.accessTokens.revoke(id),
    },
    identityProviders: {
      list: async ({ after = '', limit }) =>
        rows(
          (await allIdentityProviders())
            .filter(({ identityProvider }) => identityProvider > after)
            .slice(0, limit),
        ),
      find: async (name) => identityProviderNamed(name, await allIdentityProviders()),
      end: (name) => admin.identityProviders.end(name),
    },
  };
}

function rows(records: readonly object[]): Row[] {
  return records.map((record) => ({ ...record }));
}

/** In a merge patch, what is to go is named (RFC 7396). */
function removed(attributes: Readonly<Record<string, string>>): Record<string, null> {
  return Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
}

function refuseOwner(owner: unknown): void {
  if (owner === undefined) return;
  throw new UsageError('--owner: over --url a record belongs to whoever registers it; leave it out');
}
