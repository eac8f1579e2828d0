import {
  type Client,
  type Identity,
  isPublicClient,
  isSameIdentity,
  type Registry,
  type ResourceServer,
  redirectUriOrigin,
  scriptOrigin,
} from '@watchword/protocol';

/** Numbers of lookups that the records in memory answered, and of records. */
export interface RegistryStatistics {
  readonly hits: number;
  readonly misses: number;
  readonly clients: number;
  readonly resourceServers: number;
}

/** Every registered client and resource server, by each of its names. */
export class MemoryRegistry implements Registry {
  readonly #clientsById = new Map<number, Client>();
  readonly #clientsByClientId = new Map<string, Client>();
  readonly #resourceServersById = new Map<number, ResourceServer>();
  readonly #resourceServersByKey = new Map<string, ResourceServer>();
  /** Number of redirect URIs of public clients for each origin. */
  readonly #publicOrigins = new Map<string, number>();
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
    return this.#count(this.#clientsByClientId.get(clientId));
  }

  clientById(id: number): Client | undefined {
    return this.#count(this.#clientsById.get(id));
  }

  resourceServerByKey(key: string): ResourceServer | undefined {
    return this.#count(this.#resourceServersByKey.get(key));
  }

  resourceServerById(id: number): ResourceServer | undefined {
    return this.#count(this.#resourceServersById.get(id));
  }

  resourceServers(): Iterable<ResourceServer> {
    return this.#resourceServersById.values();
  }

  countResourceServers(owner?: Identity): number {
    return owner === undefined ? this.#resourceServersById.size : this.#ownedBy(owner).length;
  }

  countClients(of?: Parameters<Registry['countClients']>[0]): number {
    if (of === undefined) return this.#clientsById.size;
    const ids = 'owner' in of ? this.#ownedBy(of.owner).map(({ id }) => id) : [of.resourceServerId];
    const servers = new Set(ids);
    let count = 0;
    for (const { resourceServerId } of this.#clientsById.values()) {
      if (servers.has(resourceServerId)) count += 1;
    }
    return count;
  }

  isPublicClientOrigin(origin: string): boolean {
    return this.#publicOrigins.has(scriptOrigin(origin));
  }

  statistics(): RegistryStatistics {
    return {
      hits: this.#hits,
      misses: this.#misses,
      clients: this.#clientsById.size,
      resourceServers: this.#resourceServersById.size,
    };
  }

  putClient(client: Client): void {
    this.removeClient(client.id);
    this.#clientsById.set(client.id, client);
    this.#clientsByClientId.set(client.clientId, client);
    for (const origin of publicOrigins(client)) {
      this.#publicOrigins.set(origin, (this.#publicOrigins.get(origin) ?? 0) + 1);
    }
  }

  removeClient(id: number): void {
    const client = this.#clientsById.get(id);
    if (client === undefined) return;
    this.#clientsById.delete(id);
    // A client that was registered later can have the same name.
    if (this.#clientsByClientId.get(client.clientId) === client) {
      this.#clientsByClientId.delete(client.clientId);
    }
    for (const origin of publicOrigins(client)) {
      const left = (this.#publicOrigins.get(origin) ?? 0) - 1;
      if (left > 0) this.#publicOrigins.set(origin, left);
      else this.#publicOrigins.delete(origin);
    }
  }

  putResourceServer(resourceServer: ResourceServer): void {
    this.removeResourceServer(resourceServer.id);
    this.#resourceServersById.set(resourceServer.id, resourceServer);
    this.#resourceServersByKey.set(resourceServer.key, resourceServer);
  }

  removeResourceServer(id: number): void {
    const resourceServer = this.#resourceServersById.get(id);
    if (resourceServer === undefined) return;
    this.#resourceServersById.delete(id);
    if (this.#resourceServersByKey.get(resourceServer.key) === resourceServer) {
      this.#resourceServersByKey.delete(resourceServer.key);
    }
  }

  clear(): void {
    this.#clientsById.clear();
    this.#clientsByClientId.clear();
    this.#resourceServersById.clear();
    this.#resourceServersByKey.clear();
    this.#publicOrigins.clear();
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

function publicOrigins(client: Client): string[] {
  if (!isPublicClient(client)) return [];
  return client.redirectUris.map(redirectUriOrigin).filter((origin) => origin !== undefined);
}
