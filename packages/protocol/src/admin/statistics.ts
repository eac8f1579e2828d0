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
  /** Hands over what was counted in memory. */
  flushCounts(): Promise<void>;
  /** What this node refused since it was started. */
  refusals(): Promise<readonly RefusalCount[]>;
}

export interface CountedClient extends ClientCounts {
  readonly client: Client;
}

/** What was counted, as it stood at one moment. */
export interface Counted {
  /** Clients by id, with what lives among the newest {@link countLimit} tokens and grants of each. */
  readonly clients: Page<CountedClient, number>;
  /** Tokens issued in each of the last hours, the current one included, by grant type. */
  readonly issued: readonly IssuedInHour[];
}

/** Numbers of what is the caller's; of everything for an administrator. */
export interface Statistics {
  count(caller: Caller, page: PageRequest<number>, hours: number): Promise<Counted>;
  /** Of no single client, so for administrators alone. */
  refusals(caller: Caller): Promise<readonly RefusalCount[]>;
}

export const countLimit = 10_000;

const hourMs = 3_600_000;
// Tokens and grants that one page may have looked at before it ends: a page of busy clients is a short one.
const maxRead = 10_000;
// Pages that show numbers ask again and again; counting has its price.
const keptMs = 30_000;
const maxKept = 10_000;

interface Kept {
  readonly since: number;
  readonly counts: Promise<ClientCounts>;
}

export function administrationStatistics(deps: StatisticsDependencies): Statistics {
  const { readSnapshot, clock } = deps;
  const kept = new Map<number, Kept>();

  /** What was counted a moment ago has nothing read for it. */
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

/** While nothing can be written, what is stored is shown. */
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
