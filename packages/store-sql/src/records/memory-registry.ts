import {
  type Client,
  comparedResourceUri,
  type Identity,
  isOpenClientId,
  isSameIdentity,
  publicOrigins,
  type Registry,
  type ResourceServer,
  scriptOrigin,
  secretsEnd,
} from '@watchword/protocol';
import type { KeptClient } from '../hot/client-row.ts';
import { isRow, recordOf } from './kept-client.ts';

/** Numbers of lookups that the records in memory answered, and of records. */
export interface RegistryStatistics {
  readonly hits: number;
  readonly misses: number;
  readonly clients: number;
  readonly resourceServers: number;
}

/** Every registered client and resource server, by each of its names. */
export class MemoryRegistry implements Registry {
  readonly #clients = new Map<number, KeptClient>();
  readonly #clientIds = new Map<string, number>();
  readonly #resourceServersById = new Map<number, ResourceServer>();
  readonly #resourceServersByKey = new Map<string, ResourceServer>();
  readonly #resourceServersByUri = new Map<string, ResourceServer>();
  /** By resource server, record ids of clients of others. Only records have others, and no rows. */
  readonly #clientsOfOthers = new Map<number, Set<number>>();
  /** Number of redirect URIs of public clients for each origin. */
  readonly #publicOrigins = new Map<string, number>();
  readonly #unconfirmed = new Set<number>();
  readonly #expiring = new Set<number>();
  readonly #refresh: () => Promise<unknown>;
  #hits = 0;
  #misses = 0;

  /** @param refresh puts the changes of other nodes into this registry */
  constructor(refresh: () => Promise<unknown> = async () => {}) {
    this.#refresh = refresh;
  }

  refresh(): Promise<unknown> {
    return this.#refresh();
  }

  clientByClientId(clientId: string): Client | undefined {
    const id = this.#clientIds.get(clientId);
    return this.#count(id === undefined ? undefined : this.#clientOf(id));
  }

  clientById(id: number): Client | undefined {
    return this.#count(this.#clientOf(id));
  }

  resourceServerByKey(key: string): ResourceServer | undefined {
    return this.#count(this.#resourceServersByKey.get(key));
  }

  resourceServerById(id: number): ResourceServer | undefined {
    return this.#count(this.#resourceServersById.get(id));
  }

  resourceServerByUri(uri: string): ResourceServer | undefined {
    return this.#resourceServersByUri.get(comparedResourceUri(uri) ?? '');
  }

  resourceServers(): Iterable<ResourceServer> {
    return this.#resourceServersById.values();
  }

  countResourceServers(owner?: Identity): number {
    return owner === undefined ? this.#resourceServersById.size : this.#ownedBy(owner).length;
  }

  countClients(of?: Parameters<Registry['countClients']>[0]): number {
    if (of === undefined) return this.#clients.size;
    const ids = 'owner' in of ? this.#ownedBy(of.owner).map(({ id }) => id) : [of.resourceServerId];
    const servers = new Set(ids);
    let count = 0;
    for (const client of this.#clients.values()) {
      if (servers.has(isRow(client) ? client.resource_server_id : client.resourceServerId)) count += 1;
    }
    return count;
  }

  clientsOfOthers(resourceServerId: number): ReadonlySet<number> {
    return this.#clientsOfOthers.get(resourceServerId) ?? noClients;
  }

  unconfirmedClients(): ReadonlySet<number> {
    return this.#unconfirmed;
  }

  expiringClients(): ReadonlySet<number> {
    return this.#expiring;
  }

  isPublicClientOrigin(origin: string): boolean {
    return this.#publicOrigins.has(scriptOrigin(origin));
  }

  statistics(): RegistryStatistics {
    return {
      hits: this.#hits,
      misses: this.#misses,
      clients: this.#clients.size,
      resourceServers: this.#resourceServersById.size,
    };
  }

  putClient(client: KeptClient): void {
    this.removeClient(client.id);
    this.#clients.set(client.id, client);
    this.#clientIds.set(nameOf(client), client.id);
    if (isUnconfirmed(client)) this.#unconfirmed.add(client.id);
    // A row has one secret, which never expires.
    if (!isRow(client) && secretsEnd(client) > 0) this.#expiring.add(client.id);
    for (const id of otherServersOf(client)) {
      const known = this.#clientsOfOthers.get(id);
      if (known === undefined) this.#clientsOfOthers.set(id, new Set([client.id]));
      else known.add(client.id);
    }
    for (const origin of originsOf(client)) {
      this.#publicOrigins.set(origin, (this.#publicOrigins.get(origin) ?? 0) + 1);
    }
  }

  removeClient(id: number): void {
    const client = this.#clients.get(id);
    if (client === undefined) return;
    this.#clients.delete(id);
    this.#unconfirmed.delete(id);
    this.#expiring.delete(id);
    // A client that was registered later can have the same name.
    const name = nameOf(client);
    if (this.#clientIds.get(name) === id) this.#clientIds.delete(name);
    for (const other of otherServersOf(client)) this.#clientsOfOthers.get(other)?.delete(id);
    for (const origin of originsOf(client)) {
      const left = (this.#publicOrigins.get(origin) ?? 0) - 1;
      if (left > 0) this.#publicOrigins.set(origin, left);
      else this.#publicOrigins.delete(origin);
    }
  }

  putResourceServer(resourceServer: ResourceServer): void {
    this.removeResourceServer(resourceServer.id);
    this.#resourceServersById.set(resourceServer.id, resourceServer);
    this.#resourceServersByKey.set(resourceServer.key, resourceServer);
    for (const uri of urisOf(resourceServer)) this.#resourceServersByUri.set(uri, resourceServer);
  }

  removeResourceServer(id: number): void {
    const resourceServer = this.#resourceServersById.get(id);
    if (resourceServer === undefined) return;
    this.#resourceServersById.delete(id);
    if (this.#resourceServersByKey.get(resourceServer.key) === resourceServer) {
      this.#resourceServersByKey.delete(resourceServer.key);
    }
    // Another one that was read before can have taken it over.
    for (const uri of urisOf(resourceServer)) {
      if (this.#resourceServersByUri.get(uri) === resourceServer) this.#resourceServersByUri.delete(uri);
    }
  }

  clear(): void {
    this.#clients.clear();
    this.#clientIds.clear();
    this.#unconfirmed.clear();
    this.#expiring.clear();
    this.#resourceServersById.clear();
    this.#resourceServersByKey.clear();
    this.#resourceServersByUri.clear();
    this.#clientsOfOthers.clear();
    this.#publicOrigins.clear();
  }

  #clientOf(id: number): Client | undefined {
    const client = this.#clients.get(id);
    if (client === undefined || !isRow(client)) return client;
    const record = recordOf(client);
    this.#clients.set(id, record);
    return record;
  }

  #ownedBy(owner: Identity): ResourceServer[] {
    return [...this.#resourceServersById.values()].filter((server) =>
      isSameIdentity(owner, { identityProvider: server.ownerAuthority, name: server.owner }),
    );
  }

  #count<Found>(found: Found | undefined): Found | undefined {
    if (found === undefined) this.#misses += 1;
    else this.#hits += 1;
    return found;
  }
}

const noClients: ReadonlySet<number> = new Set();

/** A client without a redirect URI acts for itself alone. No text in the metadata of a row has a quotation mark. */
function isUnconfirmed(client: KeptClient): boolean {
  // No administrator answers for what a document says today, or anybody registers, and users are always asked.
  if (isOpenClientId(nameOf(client))) return false;
  return isRow(client)
    ? client.is_trusted === 0 && !client.metadata.includes('"redirectUris":[]')
    : !client.trusted && client.redirectUris.length > 0;
}

function nameOf(client: KeptClient): string {
  return isRow(client) ? client.client_id : client.clientId;
}

/** A row is that of a confidential client. */
function originsOf(client: KeptClient): string[] {
  return isRow(client) ? [] : publicOrigins(client);
}

/** A row is that of a client of one resource server. */
function otherServersOf(client: KeptClient): number[] {
  if (isRow(client)) return [];
  const { otherResourceServers, formerResourceServers } = client;
  return [...otherResourceServers, ...formerResourceServers].map(({ resourceServerId }) => resourceServerId);
}

function urisOf({ resources }: ResourceServer): string[] {
  return resources.flatMap((uri) => comparedResourceUri(uri) ?? []);
}
