import type {
  GrantEntry,
  GrantListStore,
  GrantScan,
  GrantScanPosition,
  IsWantedGrant,
  SkippedEntry,
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
    const isOwn = client !== undefined && (await isOwnServer(caller, client.resourceServerId, deps));
    return isOwn ? [source({ of: 'client', clientRecordId: client.id })] : [];
  }
  if (resourceOwnerId !== undefined) return [source({ of: 'owner', name: resourceOwnerId })];
  if (resourceServerId !== undefined) {
    const isOwn = await isOwnServer(caller, resourceServerId, deps);
    return isOwn ? [source({ of: 'resourceServer', resourceServerId })] : [];
  }
  if (caller.isAdministrator) return [source({ of: 'all' })];
  const own = await ownServerIds(caller, deps);
  return own.map((id) => source({ of: 'resourceServer', resourceServerId: id }, id));
}

/** The length of an empty list must not reveal how many grants the client of another owner has. */
async function isOwnServer(caller: Caller, id: number, { resourceServers }: Dependencies): Promise<boolean> {
  const resourceServer = await resourceServers.findById(id);
  return resourceServer !== undefined && owns(caller, resourceServer);
}

async function ownServerIds(
  { identity: owner }: Caller,
  { resourceServers }: Dependencies,
): Promise<number[]> {
  const found: number[] = [];
  for await (const { id } of everyRecord((page) => resourceServers.list({ owner, ...page }))) found.push(id);
  return found;
}
