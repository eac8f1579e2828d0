import {
  type Client,
  isDocumentClient,
  openClientsKey,
  type ResourceServer,
  type StatisticsStore,
} from '@watchword/protocol';
import { systemCaller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { clientRecord, ofClient } from './client-record.ts';

export interface UnusedDocumentDependencies
  extends Pick<
    AdministrationDependencies,
    'audited' | 'clients' | 'clock' | 'random' | 'resourceServers' | 'transact'
  > {
  readonly statistics: Pick<StatisticsStore, 'accessTo' | 'issuedTo'>;
}

const hourMs = 3_600_000;
// Counts of single clients are kept a little longer.
const countedHours = 31 * 24;
const batchSize = 200;

/**
 * Deletes clients of documents that nobody uses any more: nothing that a user gave them is valid, and they have got no token for a
 * while. The next consent of a user makes such a client again, so nothing is lost. What is remembered of consents needs no look: users
 * are asked each time.
 *
 * @param lifetime seconds since the last token; 0 = they stay
 * @returns how many were deleted
 */
export async function purgeUnusedDocuments(
  deps: UnusedDocumentDependencies,
  lifetime: number,
  signal: AbortSignal,
): Promise<number> {
  const home = await deps.resourceServers.find(openClientsKey);
  let deleted = 0;
  if (home === undefined || lifetime === 0) return deleted;
  for (let after = 0; !signal.aborted; ) {
    const found = await deps.clients.list({ resourceServerId: home.id, after, limit: batchSize });
    // What an administrator said of a client would be lost.
    const documents = found.filter((client) => isDocumentClient(client, home) && !client.trusted);
    const unused = await unusedOf(documents, lifetime, deps);
    if (unused.length > 0) deleted += await deleteAll(unused, home, deps);
    if (found.length < batchSize) break;
    after = found.at(-1)?.id ?? 0;
  }
  return deleted;
}

async function unusedOf(
  clients: readonly Client[],
  lifetime: number,
  { clock, statistics }: UnusedDocumentDependencies,
): Promise<readonly Client[]> {
  const now = clock.now();
  const until = Math.floor(now / hourMs) + 1;
  const ids = clients.map(({ id }) => id);
  const use = await statistics.issuedTo(ids, { from: until - countedHours, until });
  // A token that was issued at the end of an hour counts from its beginning.
  const recent = use.filter(({ lastHour }) => (lastHour + 1) * hourMs + lifetime * 1000 >= now);
  const used = new Set(recent.map(({ clientRecordId }) => clientRecordId));
  const idle = clients.filter(({ id }) => !used.has(id));
  const access = await statistics.accessTo(idle, now, Number.MAX_SAFE_INTEGER);
  const held = new Set(access.map(({ clientRecordId }) => clientRecordId));
  return idle.filter(({ id }) => !held.has(id));
}

function deleteAll(
  clients: readonly Client[],
  home: ResourceServer,
  deps: UnusedDocumentDependencies,
): Promise<number> {
  return changeRecords(systemCaller, deps, async (stores) => {
    const changes: AuditedChange[] = [];
    for (const client of clients) {
      if (!(await stores.clients.delete(client.id))) continue;
      changes.push({ action: 'delete', ...ofClient(client, home), before: clientRecord(client) });
    }
    return { value: changes.length, changes };
  });
}
