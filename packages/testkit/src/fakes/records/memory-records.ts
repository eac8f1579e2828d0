import {
  type Client,
  type Clock,
  changeDelay,
  comparedResourceUri,
  type Identity,
  isOpenClientId,
  latestCreationDate,
  type ManagedChange,
  type ManagedRecords,
  publicOrigins,
  type Registry,
  type ResourceServer,
  type RevokedClient,
  scriptOrigin,
  secretsEnd,
} from '@watchword/protocol';

/** No row contains a text that is not in the form of searches. Every row can come for another one. */
export function canContain(wanted: string | undefined): boolean {
  return wanted === undefined || wanted === wanted.normalize('NFKC').toLowerCase();
}

/** The records that the stores of resource servers and of clients share, by id. */
export interface MemoryRecords {
  readonly clients: Map<number, Client>;
  readonly servers: Map<number, ResourceServer>;
  /** Clients that were deleted. */
  readonly deleted: RevokedClient[];
  /** `false` if there is no such client. */
  deleteClient(id: number): boolean;
  /** Epoch milliseconds. */
  now(): number;
  nextId(): number;
  nextRevision(): number;
  clientByClientId(clientId: string): Client | undefined;
  serverByKey(key: string): ResourceServer | undefined;
}

/** @param clock has the time of deletions */
export function memoryRecords(clock: Pick<Clock, 'now'>): MemoryRecords {
  const counter = (last: number) => {
    let count = last;
    return () => {
      count += 1;
      return count;
    };
  };
  const clients = new Map<number, Client>();
  const servers = new Map<number, ResourceServer>();
  const deleted: RevokedClient[] = [];
  return {
    clients,
    servers,
    deleted,
    deleteClient(id) {
      const client = clients.get(id);
      if (client === undefined) return false;
      deleted.push(revokedClient(client, latestCreationDate(client, clock.now()) + changeDelay));
      return clients.delete(id);
    },
    now: () => clock.now(),
    nextId: counter(1000),
    nextRevision: counter(1),
    clientByClientId: (clientId) => [...clients.values()].find((client) => client.clientId === clientId),
    serverByKey: (key) => [...servers.values()].find((server) => server.key === key),
  };
}

export function revokedClient(
  { clientId, resourceServerId, otherResourceServers, formerResourceServers }: Client,
  revokedAt: number,
): RevokedClient {
  const others = [...otherResourceServers, ...formerResourceServers];
  const otherResourceServerIds = others.map((other) => other.resourceServerId);
  return { clientId, resourceServerId, otherResourceServerIds, revokedAt };
}

export function isOwnedBy({ name, identityProvider }: Identity, server: ResourceServer | undefined): boolean {
  return server?.owner === name && server.ownerAuthority === identityProvider;
}

export function firstFree(candidates: Iterable<string>, holder: (candidate: string) => unknown): string {
  for (const candidate of candidates) if (holder(candidate) === undefined) return candidate;
  throw new Error('every candidate is taken');
}

export function pageOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
  { after = 0, limit }: { readonly after?: number; readonly limit: number },
): Row[] {
  return rows
    .filter(({ id }) => id > after)
    .toSorted((a, b) => a.id - b.id)
    .slice(0, limit);
}

/** A record in memory has its digest with it, which no other read promises. */
export function memoryManaged<Kind extends Client | ResourceServer>(
  records: ReadonlyMap<number, Kind & ManagedChange>,
): ManagedRecords<Kind> {
  const listManaged: ManagedRecords<Kind>['listManaged'] = async ({ by, changedAfter = 0 } = {}) =>
    [...records.values()]
      .filter(
        ({ managedBy, revision }) =>
          managedBy !== '' && revision > changedAfter && managedBy === (by ?? managedBy),
      )
      .toSorted((a, b) => a.id - b.id)
      .map((record) => ({ record, appliedDigest: record.appliedDigest ?? '' }));
  return { listManaged, countManaged: async () => (await listManaged()).length };
}

export function memoryRegistry({ clients, servers, clientByClientId, serverByKey }: MemoryRecords): Registry {
  return {
    clientByClientId,
    clientById: (id) => clients.get(id),
    resourceServerByKey: serverByKey,
    resourceServerById: (id) => servers.get(id),
    resourceServerByUri: (uri) =>
      [...servers.values()].find(({ resources }) =>
        resources.some((each) => comparedResourceUri(each) === comparedResourceUri(uri)),
      ),
    resourceServers: () => servers.values(),
    clientsOfOthers: (id) =>
      new Set(
        [...clients.values()]
          .filter(({ otherResourceServers, formerResourceServers }) =>
            [...otherResourceServers, ...formerResourceServers].some((each) => each.resourceServerId === id),
          )
          .map((client) => client.id),
      ),
    unconfirmedClients: () =>
      new Set(
        [...clients.values()].flatMap(({ id, clientId, trusted, redirectUris }) =>
          trusted || redirectUris.length === 0 || isOpenClientId(clientId) ? [] : [id],
        ),
      ),
    expiringClients: () =>
      new Set([...clients.values()].flatMap((client) => (secretsEnd(client) > 0 ? [client.id] : []))),
    countResourceServers: (owner) =>
      [...servers.values()].filter((server) => owner === undefined || isOwnedBy(owner, server)).length,
    countClients: (of) =>
      [...clients.values()].filter(({ resourceServerId }) => {
        if (of === undefined) return true;
        return 'owner' in of
          ? isOwnedBy(of.owner, servers.get(resourceServerId))
          : resourceServerId === of.resourceServerId;
      }).length,
    refresh: async () => {},
    isPublicClientOrigin: (origin) =>
      [...clients.values()].some((client) => publicOrigins(client).includes(scriptOrigin(origin))),
  };
}
