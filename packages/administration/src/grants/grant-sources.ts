import {
  type Client,
  type GrantEntry,
  type GrantListStore,
  type GrantScan,
  type GrantScanPosition,
  type IsWantedGrant,
  isHomeOfOpenClients,
  openClientsKey,
  type ResourceServer,
  type SkippedEntry,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { everyRecord, searchFor } from '../lists/page.ts';
import type { Source, SourcePosition } from '../lists/sources.ts';

export interface GrantFilter {
  /** Part of the name of the resource owner, the client or the clientId. */
  readonly q?: string | undefined;
  /** Identifies one resource owner. */
  readonly subject?: string | undefined;
  /** Name of resource owners, at any identity provider. */
  readonly resourceOwnerId?: string | undefined;
  readonly clientId?: string | undefined;
  /** Record id. */
  readonly resourceServerId?: number | undefined;
  /** Epoch milliseconds: only grants that were made, and consents that were given, at this time or later. */
  readonly since?: number | undefined;
  /** Epoch milliseconds: only grants under which a token was issued at this time or later. */
  readonly usedSince?: number | undefined;
}

export type GrantPosition = SourcePosition<GrantScanPosition>;

type GrantSource = Source<GrantEntry | SkippedEntry, GrantScanPosition>;

type Dependencies = Pick<AdministrationDependencies, 'clients' | 'resourceServers' | 'clock'> & {
  readonly grantList: GrantListStore;
};

/** What a scan reads, without its position. */
type Range = GrantScan extends infer Scan
  ? Scan extends GrantScan
    ? Omit<Scan, 'limit' | 'before' | 'mayContain'>
    : never
  : never;

/**
 * The reads that together return every grant that the caller can see and asks for, each by the narrowest index.
 *
 * @param isWanted what no index decides; `undefined` if all are wanted
 */
export async function grantSources(
  caller: Caller,
  filter: GrantFilter,
  deps: Dependencies,
  isWanted: IsWantedGrant | undefined,
): Promise<GrantSource[]> {
  const { grantList, clock } = deps;
  const { mayContain } = searchFor(filter.q);
  const source = (range: Range, number = 0): GrantSource => ({
    number,
    read(before, limit) {
      const scan = { ...range, mayContain, limit, ...(before && { before }) } as GrantScan;
      const now = clock.now();
      return isWanted === undefined ? grantList.scan(scan, now) : grantList.search(scan, isWanted, now);
    },
  });
  const { subject, resourceOwnerId, clientId, resourceServerId } = filter;
  if (subject !== undefined) return [source({ of: 'subject', subject })];
  if (clientId !== undefined) {
    const client = await deps.clients.find(clientId);
    if (client === undefined) return [];
    const range = { of: 'client', clientRecordId: client.id } as const;
    if (await isOwnServer(caller, client.resourceServerId, deps)) return [source(range)];
    const targets = await ownTargets(caller, client, deps);
    return targets.length === 0 ? [] : [source({ ...range, targets })];
  }
  if (resourceOwnerId !== undefined) return [source({ of: 'owner', name: resourceOwnerId })];
  if (resourceServerId === undefined && caller.isAdministrator) return [source({ of: 'all' })];
  const own = await ownServers(caller, resourceServerId, deps);
  return [
    ...own.map(({ id }) => source({ of: 'resourceServer', resourceServerId: id }, id)),
    ...(await sourcesOfOthers(own, deps)).map(({ range, number }) => source(range, number)),
  ];
}

// Above the record ids of resource servers, whose sources come first.
const clientsWithoutHome = 2 ** 40;
const clientsOfOthers = clientsWithoutHome + 1;
/** Those with record ids of one range are read together. */
const idsOfRange = 500;

/** The reads of grants for clients without a resource server of their own, and for those of others. */
async function sourcesOfOthers(
  own: readonly ResourceServer[],
  { clients, resourceServers }: Dependencies,
): Promise<readonly { readonly range: Range; readonly number: number }[]> {
  const isOwn = new Set(own.map(({ id }) => id));
  const ids = new Set<number>();
  const targets = new Set<number>();
  for (const id of isOwn) {
    for await (const client of everyRecord((page) => clients.list({ otherResourceServerId: id, ...page }))) {
      if (isOwn.has(client.resourceServerId)) continue;
      ids.add(client.id);
      targets.add(id);
    }
  }
  const ofRanges = Map.groupBy([...ids], (id) => Math.floor(id / idsOfRange));
  const parts = [...ofRanges].map(([range, clientRecordIds]) => ({
    range: { of: 'clients', clientRecordIds, targets: [...targets] } as const,
    number: clientsOfOthers + range,
  }));
  const open = own.filter(({ openToClients }) => openToClients === 'everyone').map(({ id }) => id);
  const home = open.length === 0 ? undefined : await resourceServers.find(openClientsKey);
  const ofOpen = home && ({ of: 'resourceServer', resourceServerId: home.id, targets: open } as const);
  return [
    ...(ofOpen === undefined ? [] : [{ range: ofOpen, number: clientsWithoutHome }]),
    ...parts.toSorted((one, other) => one.number - other.number),
  ];
}

/** The resource servers of the caller that a client of another owner can use. */
export async function ownTargets(
  caller: Caller,
  client: Client,
  { resourceServers }: Pick<Dependencies, 'resourceServers'>,
): Promise<number[]> {
  const home = await resourceServers.findById(client.resourceServerId);
  if (home !== undefined && isHomeOfOpenClients(home)) {
    const own = await ownServers(caller, undefined, { resourceServers });
    return own.filter(({ openToClients }) => openToClients === 'everyone').map(({ id }) => id);
  }
  const named = client.otherResourceServers.map(({ resourceServerId }) =>
    resourceServers.findById(resourceServerId),
  );
  return (await Promise.all(named)).flatMap((server) => (server && owns(caller, server) ? [server.id] : []));
}

/** The length of an empty list must not reveal how many grants the client of another owner has. */
async function isOwnServer(caller: Caller, id: number, { resourceServers }: Dependencies): Promise<boolean> {
  const resourceServer = await resourceServers.findById(id);
  return resourceServer !== undefined && owns(caller, resourceServer);
}

/** @param id of the one that is meant; `undefined`: all */
async function ownServers(
  caller: Caller,
  id: number | undefined,
  { resourceServers }: Pick<Dependencies, 'resourceServers'>,
): Promise<ResourceServer[]> {
  if (id !== undefined) {
    const server = await resourceServers.findById(id);
    return server !== undefined && owns(caller, server) ? [server] : [];
  }
  const found: ResourceServer[] = [];
  const { identity: owner } = caller;
  for await (const server of everyRecord((page) => resourceServers.list({ owner, ...page })))
    found.push(server);
  return found;
}
