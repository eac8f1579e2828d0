import { userInfo } from 'node:os';
import {
  type AccessTokenFields,
  accessTokenAdministration,
  accessTokenRecord,
  type Client,
  type ClientRegistration,
  clientAdministration,
  clientRecord,
  commandLineCaller,
  type GrantedAccessToken,
  identityProviderAdministration,
  nobodysAuthority,
  type ResourceServer,
  type ResourceServerRegistration,
  resourceServerAdministration,
  resourceServerRecord,
  type ScopeSyntax,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { systemClock, systemRandom } from '../system.ts';
import type { Administration } from './administration.ts';
import type { Dependents } from './dependents.ts';
import { identityProviderNamed, noClient, noResourceServer } from './not-found.ts';
import { accessTokenRow } from './records.ts';

/** Whose records are that are registered at the command line, unless it names somebody. */
const usualOwner = { name: 'operator', authority: nobodysAuthority };

/** On the database itself, as whoever sits at the command line: of everything, under the same rules. */
export function localAdministration(store: Store, scopeSyntax: ScopeSyntax): Administration {
  const deps = {
    ...store,
    clock: systemClock,
    random: systemRandom,
    scopeSyntax,
    parties: store,
    instruments: { tokenIssued: () => {} },
  };
  const caller = commandLineCaller(userInfo().username);
  const resourceServers = resourceServerAdministration(deps);
  const clients = clientAdministration(deps);
  const accessTokens = accessTokenAdministration(deps);
  const identityProviders = identityProviderAdministration(deps);
  // A database knows nothing of what a server is configured with.
  const allIdentityProviders = async () =>
    (await store.identityProviderUse.list()).map((used) => ({ ...used, configured: null }));
  const resourceServerId = async (key: string) => (await existingResourceServer(store, key)).id;
  const clientAddress = async (clientId: string) => {
    const { id, resourceServerId } = await existingClient(store, clientId);
    return { id, resourceServerId };
  };

  return {
    effect: 'in a running server within a second',
    resourceServers: {
      list: async (options) => (await store.resourceServers.list(options)).map(resourceServerRecord),
      find: async (key) => resourceServerRecord(await existingResourceServer(store, key)),
      async create(fields, owner = usualOwner) {
        const { resourceServer, secret } = await resourceServers.create(caller, { fields }, { owner });
        return { ...resourceServerRecord(resourceServer), secret };
      },
      async update(key, changed, owner) {
        const id = await resourceServerId(key);
        const apply = (current: ResourceServerRegistration) => ({ ...current, ...changed });
        const { resourceServer } = await resourceServers.update(caller, id, { apply });
        return resourceServerRecord(
          owner === undefined ? resourceServer : await resourceServers.changeOwner(caller, id, owner),
        );
      },
      dependents: async (key) => dependentsOf(store, await resourceServerId(key)),
      delete: async (key) => resourceServers.delete(caller, await resourceServerId(key)),
      rotateSecret: async (key, overlap) =>
        (await resourceServers.rotateSecret(caller, await resourceServerId(key), overlap)).secret,
    },
    clients: {
      async list({ resourceServer: key, ...options }) {
        const filter = key === undefined ? {} : { resourceServerId: await resourceServerId(key) };
        return withKeys(store, await store.clients.list({ ...filter, ...options }));
      },
      find: async (clientId) => clientRecord(await existingClient(store, clientId)),
      async create(key, fields) {
        const { client, secret } = await clients.create(caller, await resourceServerId(key), { fields });
        return { client: clientRecord(client), secret };
      },
      async update(clientId, changed) {
        const address = await clientAddress(clientId);
        const apply = (current: ClientRegistration) => ({ ...current, ...changed });
        return clientRecord((await clients.update(caller, address, { apply })).client);
      },
      confirm: async (clientId) => clientRecord(await clients.confirm(caller, await clientAddress(clientId))),
      async dependents(clientId) {
        const tokens = await countTokens(store, await existingClient(store, clientId));
        return { tokens, isLeast: tokens >= mostTokens };
      },
      delete: async (clientId) => clients.delete(caller, await clientAddress(clientId)),
      async rotateSecret(clientId, overlap) {
        const { secret } = await clients.rotateSecret(caller, await clientAddress(clientId), overlap);
        if (secret === undefined) throw new Error('a confidential client was given no secret');
        return secret;
      },
      revokeTokens: async (clientId) => clients.revokeTokens(caller, await clientAddress(clientId)),
    },
    accessTokens: {
      async list({ client: clientId, after, limit }) {
        const client = clientId === undefined ? undefined : await existingClient(store, clientId);
        const tokens = await store.accessTokens.list({
          ...(client && { clientRecordId: client.id }),
          ...(after !== undefined && { after }),
          limit,
        });
        return withClients(store, tokens);
      },
      find: async (id) => accessTokenRecord(await accessTokens.find(caller, id)),
      async issue(clientId, scopes) {
        await existingClient(store, clientId);
        const { token, value } = await accessTokens.create(caller, { clientId, scopes, expires: undefined });
        return { ...accessTokenRecord(token), token: value };
      },
      async update(id, changed) {
        const apply = (current: AccessTokenFields) => ({ ...current, ...changed });
        return accessTokenRecord(await accessTokens.update(caller, id, { apply }));
      },
      revoke: (id) => accessTokens.revoke(caller, id),
    },
    identityProviders: {
      list: async ({ after = '', limit }) =>
        (await allIdentityProviders())
          .filter(({ identityProvider }) => identityProvider > after)
          .slice(0, limit),
      find: async (name) => identityProviderNamed(name, await allIdentityProviders()),
      end: (name) => identityProviders.end(caller, name),
    },
  };
}

/** @throws OAuthError `not_found` */
async function existingResourceServer(store: Store, key: string): Promise<ResourceServer> {
  const found = await store.resourceServers.find(key);
  if (found !== undefined) return found;
  throw noResourceServer();
}

/** @throws OAuthError `not_found` */
async function existingClient(store: Store, clientId: string): Promise<Client> {
  const found = await store.clients.find(clientId);
  if (found !== undefined) return found;
  throw noClient();
}

/** Counting more tokens than that to warn of their end would be for nobody's good. */
const mostTokens = 10_000;

async function dependentsOf(store: Store, resourceServerId: number): Promise<Dependents> {
  const limit = 1000;
  let [clients, tokens, after] = [0, 0, 0];
  for (;;) {
    const page = await store.clients.list({ resourceServerId, after, limit });
    for (const client of page) {
      after = client.id;
      if (tokens < mostTokens) tokens += await countTokens(store, client);
    }
    clients += page.length;
    if (page.length < limit) return { clients, tokens, isLeast: tokens >= mostTokens };
  }
}

async function countTokens(store: Store, client: Client): Promise<number> {
  return (await store.statistics.countOf(client, systemClock.now(), mostTokens)).tokens;
}

async function withKeys(store: Store, clients: readonly Client[]) {
  const keys = new Map<number, string | undefined>();
  for (const id of new Set(clients.map(({ resourceServerId }) => resourceServerId))) {
    keys.set(id, (await store.resourceServers.findById(id))?.key);
  }
  return clients.map((client) => ({
    ...clientRecord(client),
    resourceserver_key: keys.get(client.resourceServerId) ?? null,
  }));
}

async function withClients(store: Store, tokens: readonly GrantedAccessToken[]) {
  const ids = [...new Set(tokens.map(({ clientRecordId }) => clientRecordId))];
  const clients = new Map((await store.clients.findByIds(ids)).map((client) => [client.id, client]));
  return tokens.map((token) => accessTokenRow(token, clients.get(token.clientRecordId)));
}
