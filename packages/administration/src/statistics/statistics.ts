import {
  type Client,
  type ClientCounts,
  type Clock,
  type Hours,
  type IssuedInHour,
  type ReadSnapshot,
  type SnapshotStores,
  StoreUnavailableError,
} from '@watchword/protocol';
import type { RegisteredRecords } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { includesRight } from '../callers/rights.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';
import {
  type AccessToClient,
  accessToClients,
  busiestClients,
  type ClientUse,
  withUse,
} from './client-use.ts';
import type { Health } from './health.ts';
import { keptCounts } from './kept-counts.ts';

/** The number of requests that were answered with an error. */
interface ErrorCount {
  /** The name of the error. */
  readonly error: string;
  readonly requests: number;
}

interface StatisticsDependencies {
  readonly readSnapshot: ReadSnapshot;
  readonly clock: Clock;
  /** Stores the counts in memory. */
  flushCounts(): Promise<void>;
  /** Requests that this node answered with an error since its start. */
  errors(): Promise<readonly ErrorCount[]>;
  /** `undefined` in a process that is no server. */
  health(): Promise<Health | undefined>;
  readonly registered: Pick<RegisteredRecords, 'clients'>;
}

export interface CountedClient extends ClientCounts, ClientUse {}

/** Counts of one point in time. */
export interface Counted {
  /** Clients by id, with the number of valid tokens and grants among the newest {@link countLimit} of each. */
  readonly clients: Page<CountedClient, number>;
  /** Tokens issued in each of the last hours, the current one included, by grant type. */
  readonly issued: readonly IssuedInHour[];
  /** The clients to which most tokens were issued in these hours, the busiest first. For administrators, with the first page. */
  readonly busiest: readonly ClientUse[];
}

/** Statistics of the records of the caller; for administrators, of all records. */
export interface Statistics {
  count(caller: Caller, page: PageRequest<number>, hours: number): Promise<Counted>;
  /** The numbers of one client. */
  countOne(client: Client, hours: number): Promise<CountedClient>;
  /** Start of the hour in which a token was last issued to each of these clients, by record id, if one was in the last month. */
  lastIssued(clients: readonly Client[]): Promise<ReadonlyMap<number, number>>;
  /** When each secret of the client was last used, by id, in epoch milliseconds. */
  secretUses(client: Pick<Client, 'id'>): Promise<ReadonlyMap<number, number>>;
  /** What resource owners gave each of these clients, and when it was used last, by record id. */
  accessTo(clients: readonly Client[]): Promise<ReadonlyMap<number, AccessToClient>>;
  /** Only administrators see errors, because errors do not belong to one client. */
  errors(caller: Caller): Promise<readonly ErrorCount[]>;
  /** `undefined` for a caller who is not an administrator. */
  health(caller: Caller): Promise<Health | undefined>;
}

const hourMs = 3_600_000;
// Tokens and grants that one page reads before it ends: a page of busy clients is a short one.
const maxRead = 10_000;
// The GUI requests the statistics repeatedly, and counting is expensive.
const keptMs = 30_000;
// The page of a client stands beside its list of tokens, which is current.
const keptOneMs = 2000;

export function administrationStatistics(deps: StatisticsDependencies): Statistics {
  const { readSnapshot, clock } = deps;
  const countsOf = keptCounts(clock);

  const countClients = async (
    caller: Caller,
    page: PageRequest<number>,
    hours: Hours,
    stores: SnapshotStores,
  ): Promise<Page<CountedClient, number>> => {
    let read = 0;
    const { items, next } = await readPage(page, {
      fetch: (after, limit) =>
        stores.clients.list({ ...ownedBy(caller), ...(after !== undefined && { after }), limit }),
      positionOf: ({ id }) => id,
      async pick(client) {
        const counts = await countsOf(client, stores, keptMs);
        read += counts.read;
        return { client, ...counts };
      },
      isSpent: () => read >= maxRead,
    });
    return { items: await withUse(items, hours, stores), next };
  };

  return {
    async count(caller, page, hours) {
      const isFirst = page.after === undefined;
      const { isAdministrator } = caller;
      await flushIfPossible(deps);
      const range = lastHours(hours, clock);
      return readSnapshot(async (stores) => ({
        clients: await countClients(caller, page, range, stores),
        issued: await stores.statistics.issued({ ...range, ...ownedBy(caller) }),
        busiest: isAdministrator && isFirst ? await busiestClients(range, stores, deps.registered) : [],
      }));
    },

    async countOne(client, hours) {
      await flushIfPossible(deps);
      const range = lastHours(hours, clock);
      return readSnapshot(async (stores) => {
        const counts = { client, ...(await countsOf(client, stores, keptOneMs)) };
        const [counted = { ...counts, issued: 0, lastHour: undefined }] = await withUse(
          [counts],
          range,
          stores,
        );
        return counted;
      });
    },

    async lastIssued(clients) {
      await flushIfPossible(deps);
      const ids = clients.map(({ id }) => id);
      const found = await readSnapshot(({ statistics }) => statistics.issuedTo(ids, lastHours(1, clock)));
      return new Map(found.map(({ clientRecordId, lastHour }) => [clientRecordId, lastHour * hourMs]));
    },

    async secretUses({ id }) {
      await flushIfPossible(deps);
      return readSnapshot(({ statistics }) => statistics.secretUses(id));
    },

    async accessTo(clients) {
      const lastIssued = await this.lastIssued(clients);
      return readSnapshot((stores) => accessToClients(clients, lastIssued, clock.now(), stores));
    },

    errors: async (caller) => (seesErrors(caller) ? deps.errors() : []),
    health: async (caller) => (seesErrors(caller) ? deps.health() : undefined),
  };
}

/** Its right to see records is none to see errors. */
function seesErrors({ isAdministrator, right, rights }: Caller): boolean {
  return isAdministrator && (right === undefined || includesRight(rights, 'errors:read'));
}

/** So many past hours, the current one included. */
function lastHours(hours: number, clock: Clock): Hours {
  const until = Math.floor(clock.now() / hourMs) + 1;
  return { from: until - hours, until };
}

/** While the database cannot be written, the stored counts are returned. */
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
