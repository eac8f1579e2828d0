import type { Client } from '../model/client.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReadSnapshot, SnapshotStores } from '../ports/read-snapshot.ts';
import type { ClientCounts, IssuedInHour } from '../ports/statistics-store.ts';
import { StoreUnavailableError } from '../ports/store-unavailable-error.ts';
import type { Caller } from './caller.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

/** How many requests were refused for a reason: the name of an error. */
export interface RefusalCount {
  readonly reason: string;
  readonly requests: number;
}

export interface StatisticsDependencies {
  readonly readSnapshot: ReadSnapshot;
  readonly clock: Clock;
  /** Stores what was counted in memory. */
  flushCounts(): Promise<void>;
  /** Requests that this node refused since its start. */
  refusals(): Promise<readonly RefusalCount[]>;
}

export interface CountedClient extends ClientCounts {
  readonly client: Client;
}

/** Counts that belong to one point in time. */
export interface Counted {
  /** Clients by id, with what is valid among the newest {@link countLimit} tokens and grants of each. */
  readonly clients: Page<CountedClient, number>;
  /** Tokens issued in each of the last hours, the current one included, by grant type. */
  readonly issued: readonly IssuedInHour[];
}

/** Numbers of what is the caller's; of everything for an administrator. */
export interface Statistics {
  count(caller: Caller, page: PageRequest<number>, hours: number): Promise<Counted>;
  /** They belong to no single client, so only administrators see them. */
  refusals(caller: Caller): Promise<readonly RefusalCount[]>;
}

export const countLimit = 10_000;

const hourMs = 3_600_000;
// Tokens and grants that one page reads before it ends: a page of busy clients is a short one.
const maxRead = 10_000;
// The pages ask repeatedly, and counting is expensive.
const keptMs = 30_000;
const maxKept = 10_000;

interface Kept {
  readonly since: number;
  readonly counts: Promise<ClientCounts>;
}

export function administrationStatistics(deps: StatisticsDependencies): Statistics {
  const { readSnapshot, clock } = deps;
  const kept = new Map<number, Kept>();

  /** Counts that are still fresh are not read again. */
  const countsOf = async (client: Client, { statistics }: SnapshotStores): Promise<ClientCounts> => {
    const now = clock.now();
    const known = kept.get(client.id);
    if (known !== undefined && Math.abs(now - known.since) < keptMs)
      return { ...(await known.counts), read: 0 };
    if (kept.size >= maxKept) kept.clear();
    const counts = statistics.countOf(client, now, countLimit);
    kept.set(client.id, { since: now, counts });
    counts.catch(() => kept.delete(client.id));
    return counts;
  };

  const countClients = (caller: Caller, page: PageRequest<number>, stores: SnapshotStores) => {
    let read = 0;
    return readPage(page, {
      fetch: (after, limit) =>
        stores.clients.list({ ...ownedBy(caller), ...(after !== undefined && { after }), limit }),
      positionOf: ({ id }) => id,
      async pick(client) {
        const counts = await countsOf(client, stores);
        read += counts.read;
        return { client, ...counts };
      },
      isSpent: () => read >= maxRead,
    });
  };

  return {
    async count(caller, page, hours) {
      await flushIfPossible(deps);
      const until = Math.floor(clock.now() / hourMs) + 1;
      return readSnapshot(async (stores) => ({
        clients: await countClients(caller, page, stores),
        issued: await stores.statistics.issued({ from: until - hours, until, ...ownedBy(caller) }),
      }));
    },

    refusals: async (caller) => (caller.isAdministrator ? deps.refusals() : []),
  };
}

/** While nothing can be written, the stored counts are returned. */
async function flushIfPossible({ flushCounts }: StatisticsDependencies): Promise<void> {
  try {
    await flushCounts();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
  }
}

function ownedBy({ isAdministrator, identity }: Caller) {
  return isAdministrator ? {} : { owner: identity };
}
