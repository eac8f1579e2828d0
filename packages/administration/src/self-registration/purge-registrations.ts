import {
  type Client,
  type ClientRegistrationReader,
  type ClientRegistrationRecord,
  openClientsKey,
  type StatisticsStore,
} from '@watchword/protocol';
import { systemCaller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { clientRecord, ofClient } from '../clients/client-record.ts';

export interface PurgeRegistrationDependencies
  extends Pick<
    AdministrationDependencies,
    'audited' | 'clients' | 'clock' | 'random' | 'resourceServers' | 'transact'
  > {
  readonly clientRegistrations: ClientRegistrationReader;
  readonly statistics: Pick<StatisticsStore, 'issuedTo'>;
}

/** For how long clients that registered themselves stay, in seconds; 0 = without limit. */
export interface RegistrationLifetimes {
  /** That have never got a token. */
  readonly neverUsed: number;
  /** That get none any more. */
  readonly unused: number;
}

const hourMs = 3_600_000;
// Counts of single clients are kept a little longer, and a run that fails can be repeated many times within it.
const countedHours = 31 * 24;
// A client whose use was noted since then needs no look.
const recentMs = 7 * 24 * hourMs;
const batchSize = 200;

/**
 * Deletes clients that registered themselves and are not used, with what users gave them, and notes when the others were used last.
 *
 * @returns how many were deleted
 */
export async function purgeRegistrations(
  deps: PurgeRegistrationDependencies,
  lifetimes: RegistrationLifetimes,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  const recent = lifetimes.unused > 0 ? Math.min(recentMs, lifetimes.unused * 1000) : recentMs;
  for (let after = 0; !signal.aborted; ) {
    const usedBefore = deps.clock.now() - recent;
    const found = await deps.clientRegistrations.listIdle({ usedBefore, after, limit: batchSize });
    if (found.length > 0) deleted += await purgeBatch(found, deps, lifetimes);
    if (found.length < batchSize) break;
    after = found.at(-1)?.clientRecordId ?? 0;
  }
  return deleted;
}

async function purgeBatch(
  registrations: readonly ClientRegistrationRecord[],
  deps: PurgeRegistrationDependencies,
  lifetimes: RegistrationLifetimes,
): Promise<number> {
  const { clients, clock, resourceServers, statistics } = deps;
  const now = clock.now();
  const until = Math.floor(now / hourMs) + 1;
  const ids = registrations.map(({ clientRecordId }) => clientRecordId);
  const use = await statistics.issuedTo(ids, { from: until - countedHours, until });
  const lastHours = new Map(use.map(({ clientRecordId, lastHour }) => [clientRecordId, lastHour * hourMs]));
  const known = new Map((await clients.findByIds(ids)).map((client) => [client.id, client]));
  const home = await resourceServers.find(openClientsKey);
  const current = registrations.map((each) => {
    const lastUsed = Math.max(each.lastUsed, lastHours.get(each.clientRecordId) ?? 0);
    return { ...each, lastUsed, isNoted: lastUsed === each.lastUsed, client: known.get(each.clientRecordId) };
  });
  return changeRecords(systemCaller, deps, async (stores) => {
    const changes: AuditedChange[] = [];
    for (const each of current) {
      const { client, clientRecordId, lastUsed } = each;
      if (client === undefined || home === undefined || hasEnded(each, lifetimes, now)) {
        await stores.clientRegistrations.remove(clientRecordId);
        if (client !== undefined && home !== undefined && (await stores.clients.delete(client.id)))
          changes.push(deletion(client, ofClient(client, home)));
      } else if (!each.isNoted) await stores.clientRegistrations.markUsed(clientRecordId, lastUsed);
    }
    return { value: changes.length, changes };
  });
}

/** An hour more: a token that was issued at its end counts from its beginning. */
function hasEnded(
  { creationDate, lastUsed }: Pick<ClientRegistrationRecord, 'creationDate' | 'lastUsed'>,
  { neverUsed, unused }: RegistrationLifetimes,
  now: number,
): boolean {
  if (lastUsed === 0) return neverUsed > 0 && creationDate + neverUsed * 1000 < now;
  return unused > 0 && lastUsed + hourMs + unused * 1000 < now;
}

function deletion(client: Client, of: ReturnType<typeof ofClient>): AuditedChange {
  return { action: 'delete', ...of, before: clientRecord(client) };
}
