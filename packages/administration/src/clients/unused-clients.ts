import {
  type Client,
  type ClientRegistrationReader,
  type ClientRegistrationRecord,
  isDocumentClient,
  openClientsKey,
  type ResourceServer,
  type StatisticsStore,
} from '@watchword/protocol';
import { systemCaller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { clientRecord, ofClient } from './client-record.ts';

export interface UnusedClientDependencies
  extends Pick<
    AdministrationDependencies,
    'audited' | 'clients' | 'clock' | 'random' | 'resourceServers' | 'transact'
  > {
  readonly clientRegistrations: ClientRegistrationReader;
  readonly statistics: Pick<StatisticsStore, 'accessTo' | 'issuedTo'>;
}

/** For how long clients that no administrator and no record owner registered stay, in seconds; 0 = without limit. */
export interface UnusedLifetimes {
  /** Those of documents that have got no token since. The next consent of a user makes such a client again. */
  readonly document: number;
  /** Those that registered themselves and have never got a token. */
  readonly neverUsed: number;
  /** Those that registered themselves and get none any more. */
  readonly unused: number;
}

/** A client, or what is kept of one that was deleted. */
interface Candidate {
  readonly clientRecordId: number;
  readonly client: Client | undefined;
  /** Of a client that registered itself. */
  readonly registration?: ClientRegistrationRecord;
}

interface UsedCandidate extends Candidate {
  /** Epoch milliseconds: the beginning of the hour of the last token; 0 = none is known. */
  readonly lastUsed: number;
}

const hourMs = 3_600_000;
// Counts of single clients are kept a little longer, and a run that fails can be repeated many times within it.
const countedHours = 31 * 24;
// A registration whose use was noted since then needs no look.
const recentMs = 7 * 24 * hourMs;
const batchSize = 200;

/**
 * Deletes clients that nobody registered for others and nobody uses, with what users gave them, and notes when those that registered
 * themselves were used last.
 *
 * @returns how many were deleted
 */
export async function purgeUnusedClients(
  deps: UnusedClientDependencies,
  lifetimes: UnusedLifetimes,
  signal: AbortSignal,
): Promise<number> {
  const home = await deps.resourceServers.find(openClientsKey);
  if (home === undefined) return 0;
  let deleted = 0;
  const { unused } = lifetimes;
  const recent = unused > 0 ? Math.min(recentMs, unused * 1000) : recentMs;
  const usedBefore = deps.clock.now() - recent;
  for (const read of [registered(usedBefore, batchSize, deps), documents(home, lifetimes, deps)]) {
    for (let after = 0; !signal.aborted; ) {
      const { candidates, last } = await read(after);
      if (candidates.length > 0) deleted += await purgeBatch(candidates, home, lifetimes, deps);
      if (last === undefined) break;
      after = last;
    }
  }
  return deleted;
}

/** Reads a batch of candidates after a record id. `last`: that of the last one that was read, if more can follow. */
type ReadCandidates = (
  after: number,
) => Promise<{ readonly candidates: readonly Candidate[]; readonly last?: number | undefined }>;

function registered(
  usedBefore: number,
  limit: number,
  { clientRegistrations, clients }: UnusedClientDependencies,
): ReadCandidates {
  return async (after) => {
    const found = await clientRegistrations.listIdle({ usedBefore, after, limit });
    const known = await clients.findByIds(found.map(({ clientRecordId }) => clientRecordId));
    const byId = new Map(known.map((client) => [client.id, client]));
    return {
      candidates: found.map((registration) => {
        const { clientRecordId } = registration;
        return { clientRecordId, client: byId.get(clientRecordId), registration };
      }),
      last: found.length < limit ? undefined : found.at(-1)?.clientRecordId,
    };
  };
}

function documents(
  home: ResourceServer,
  { document }: UnusedLifetimes,
  { clients }: UnusedClientDependencies,
): ReadCandidates {
  return async (after) => {
    if (document === 0) return { candidates: [] };
    const found = await clients.list({ resourceServerId: home.id, after, limit: batchSize });
    // What an administrator said of a client would be lost.
    const described = found.filter((client) => isDocumentClient(client, home) && !client.trusted);
    return {
      candidates: described.map((client) => ({ clientRecordId: client.id, client })),
      last: found.length < batchSize ? undefined : found.at(-1)?.id,
    };
  };
}

async function purgeBatch(
  found: readonly Candidate[],
  home: ResourceServer,
  lifetimes: UnusedLifetimes,
  deps: UnusedClientDependencies,
): Promise<number> {
  const now = deps.clock.now();
  const candidates = await withUse(found, deps);
  const over = candidates.filter((each) => isOver(each, lifetimes, now));
  // A client of a document stays while anything is valid that a user gave it. Users of the others are asked again.
  const held = await heldOf(
    over.filter(({ registration }) => registration === undefined),
    deps,
  );
  const unused = over.filter(({ clientRecordId }) => !held.has(clientRecordId));
  const noted = candidates.filter(
    (each) => !unused.includes(each) && each.lastUsed > (each.registration?.lastUsed ?? each.lastUsed),
  );
  if (unused.length + noted.length === 0) return 0;
  return deleteClients(unused, noted, home, deps);
}

async function withUse(
  candidates: readonly Candidate[],
  { clock, statistics }: UnusedClientDependencies,
): Promise<readonly UsedCandidate[]> {
  const until = Math.floor(clock.now() / hourMs) + 1;
  const ids = candidates.map(({ clientRecordId }) => clientRecordId);
  const use = await statistics.issuedTo(ids, { from: until - countedHours, until });
  const lastHours = new Map(use.map(({ clientRecordId, lastHour }) => [clientRecordId, lastHour * hourMs]));
  return candidates.map((each) => ({
    ...each,
    lastUsed: Math.max(each.registration?.lastUsed ?? 0, lastHours.get(each.clientRecordId) ?? 0),
  }));
}

/** An hour more: a token that was issued at its end counts from its beginning. */
function isOver(
  { client, registration, lastUsed }: UsedCandidate,
  { document, neverUsed, unused }: UnusedLifetimes,
  now: number,
): boolean {
  if (client === undefined) return true;
  if (registration !== undefined && lastUsed === 0)
    return neverUsed > 0 && registration.creationDate + neverUsed * 1000 < now;
  const lifetime = registration === undefined ? document : unused;
  return lifetime > 0 && lastUsed + hourMs + lifetime * 1000 < now;
}

/** The record ids of those to which a user gave something that is valid. */
async function heldOf(
  candidates: readonly Candidate[],
  { clock, statistics }: UnusedClientDependencies,
): Promise<ReadonlySet<number>> {
  const clients = candidates.flatMap(({ client }) => client ?? []);
  if (clients.length === 0) return new Set();
  const access = await statistics.accessTo(clients, clock.now(), Number.MAX_SAFE_INTEGER);
  return new Set(access.map(({ clientRecordId }) => clientRecordId));
}

function deleteClients(
  unused: readonly Candidate[],
  noted: readonly UsedCandidate[],
  home: ResourceServer,
  deps: UnusedClientDependencies,
): Promise<number> {
  return changeRecords(systemCaller, deps, async ({ clients, clientRegistrations }) => {
    for (const { clientRecordId, lastUsed } of noted)
      await clientRegistrations.markUsed(clientRecordId, lastUsed);
    const changes: AuditedChange[] = [];
    for (const { clientRecordId, client, registration } of unused) {
      if (registration !== undefined) await clientRegistrations.remove(clientRecordId);
      if (client !== undefined && (await clients.delete(clientRecordId)))
        changes.push({ action: 'delete', ...ofClient(client, home), before: clientRecord(client) });
    }
    return { value: changes.length, changes };
  });
}

// A flood from many addresses takes no more room.
const maxUnused = 10_000;
// Milliseconds: whoever has just registered is about to log in.
const newFor = hourMs;
const roomBatch = 50;

/**
 * Before a client registers itself: where very many did and were never used, the oldest of them gives way.
 *
 * @returns `false` if all of them are new: a flood is going on
 */
export async function makeRoom(deps: UnusedClientDependencies): Promise<boolean> {
  if ((await deps.clientRegistrations.countUnused(maxUnused)) < maxUnused) return true;
  const home = await deps.resourceServers.find(openClientsKey);
  if (home === undefined) return true;
  const { candidates: oldest } = await registered(1, roomBatch, deps)(0);
  const candidates = await withUse(oldest, deps);
  // The count of a token that was just issued comes later.
  const held = await heldOf(candidates, deps);
  const now = deps.clock.now();
  const isUsed = ({ lastUsed, clientRecordId }: UsedCandidate) => lastUsed > 0 || held.has(clientRecordId);
  const noted = candidates.filter(isUsed).map((each) => ({ ...each, lastUsed: each.lastUsed || now }));
  const never = candidates.find(
    (each) => !isUsed(each) && (each.registration?.creationDate ?? 0) + newFor < now,
  );
  if (never === undefined && noted.length === 0) return false;
  await deleteClients(never === undefined ? [] : [never], noted, home, deps);
  return true;
}
