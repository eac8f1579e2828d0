import type { Client } from '../model/client.ts';
import type { ClientStore } from '../ports/client-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClientCounts, IssuedInHour, StatisticsStore } from '../ports/statistics-store.ts';
import type { Caller } from './caller.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

/** How many requests were refused for a reason: the name of an error. */
export interface RefusalCount {
  readonly reason: string;
  readonly requests: number;
}

export interface StatisticsDependencies {
  readonly clients: ClientStore;
  readonly statistics: StatisticsStore;
  readonly clock: Clock;
  /** Hands over what was counted in memory. */
  flushCounts(): Promise<void>;
  /** What this node refused since it was started. */
  refusals(): Promise<readonly RefusalCount[]>;
}

export interface CountedClient extends ClientCounts {
  readonly client: Client;
}

/** Numbers of what is the caller's; of everything for an administrator. */
export interface Statistics {
  /** Clients by id, with what lives among the newest {@link countLimit} tokens and grants of each. */
  clients(caller: Caller, page: PageRequest<number>): Promise<Page<CountedClient, number>>;
  /** Tokens issued in each of the last hours, the current one included, by grant type. */
  issued(caller: Caller, hours: number): Promise<readonly IssuedInHour[]>;
  /** Of no single client, so for administrators alone. */
  refusals(caller: Caller): Promise<readonly RefusalCount[]>;
}

export const countLimit = 10_000;

const hourMs = 3_600_000;
const hoursOfRead = 24;
// Tokens and grants that one page may have looked at before it ends: a page of busy clients is a short one.
const maxRead = 10_000;
// Pages that show numbers ask again and again; counting has its price.
const keptMs = 30_000;
const maxKept = 10_000;

interface Kept {
  readonly since: number;
  readonly counts: Promise<ClientCounts>;
}

export function administrationStatistics(world: StatisticsDependencies): Statistics {
  const { clients, statistics, clock } = world;
  const kept = new Map<number, Kept>();

  /** What was counted a moment ago has nothing read for it. */
  const countsOf = async (client: Client): Promise<ClientCounts> => {
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

  return {
    clients(caller, page) {
      let read = 0;
      return readPage(page, {
        fetch: (after, limit) =>
          clients.list({
            ...(!caller.isAdministrator && { owner: caller.identity }),
            ...(after !== undefined && { after }),
            limit,
          }),
        positionOf: ({ id }) => id,
        async pick(client) {
          const counts = await countsOf(client);
          read += counts.read;
          return { client, ...counts };
        },
        isSpent: () => read >= maxRead,
      });
    },

    async issued(caller, hours) {
      await world.flushCounts();
      const until = Math.floor(clock.now() / hourMs) + 1;
      const found: IssuedInHour[] = [];
      for (let from = until - hours; from < until; from += hoursOfRead) {
        found.push(
          ...(await statistics.issued({
            from,
            until: Math.min(from + hoursOfRead, until),
            ...(!caller.isAdministrator && { owner: caller.identity }),
          })),
        );
      }
      return found;
    },

    refusals: async (caller) => (caller.isAdministrator ? world.refusals() : []),
  };
}
