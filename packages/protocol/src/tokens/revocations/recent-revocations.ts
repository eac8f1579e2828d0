import type {
  RevocationPage,
  RevocationStore,
  RevokedClient,
  RevokedGrant,
  RevokedToken,
} from '../../ports/stores/grants/revocation-store.ts';
import { type Clock, nodeClockTolerance } from '../../ports/system/clock.ts';
import { sharedRuns } from './shared-runs.ts';

/** Milliseconds for which the server keeps revocations in memory. */
export const recentTime = 330_000;
/**
 * Milliseconds by which the commit of a revocation can be later than the time that it has. A reader of changes gets the revocations
 * of so much earlier again.
 */
export const commitDelay = 60_000;
// A request is answered within five seconds. Later commits are found by the reads that go back further, some seconds later.
const usualDelay = 10_000;
const fullReadInterval = 5000;
// Rows of a page are turned into entries without a pause.
const pageSize = 2000;
// More revocations in a few minutes are not kept: those who ask for them get the whole list.
export const mostEntries = 200_000;

/** Revocations that have been stored, in the order in which they were read. */
export interface Revocations {
  readonly grants: readonly RevokedGrant[];
  readonly tokens: readonly RevokedToken[];
  readonly clients: readonly RevokedClient[];
}

/** The revocations of the last minutes, of all clients, as the database has them. */
export class RecentRevocations {
  readonly #store: RevocationStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #most: number;
  readonly #grants = new Map<string, RevokedGrant>();
  readonly #tokens = new Map<string, RevokedToken>();
  #clients: readonly RevokedClient[] = [];
  /** Epoch milliseconds; of the last read, of the last one that went back further, and from which on nothing is missing. */
  #readAt = Number.NEGATIVE_INFINITY;
  #fullReadAt = Number.NEGATIVE_INFINITY;
  #completeFrom = Number.POSITIVE_INFINITY;
  /** Another one after each change. */
  version = 0;
  /**
   * Resolves once all revocations that were committed before the call are in memory. Callers share a read that has not begun.
   *
   * @throws StoreUnavailableError
   */
  readonly refresh = sharedRuns(() => this.#read());

  constructor(store: RevocationStore, clock: Pick<Clock, 'now'>, most = mostEntries) {
    this.#store = store;
    this.#clock = clock;
    this.#most = most;
  }

  /** Epoch milliseconds: the time of the last read. */
  get readAt(): number {
    return this.#readAt;
  }

  /** The revocations after the time; `undefined` if some of them are not in memory. @param time epoch milliseconds */
  since(time: number): Revocations | undefined {
    if (time < this.#completeFrom) return undefined;
    const isLater = ({ revokedAt }: { readonly revokedAt: number }) => revokedAt > time;
    return {
      grants: [...this.#grants.values()].filter(isLater),
      tokens: [...this.#tokens.values()].filter(isLater),
      clients: this.#clients.filter(isLater),
    };
  }

  async #read(): Promise<void> {
    const now = this.#clock.now();
    const horizon = now - recentTime;
    // After a pause, or when the clock was set back, everything is read again.
    if (this.#readAt < horizon + commitDelay || now < this.#readAt - nodeClockTolerance)
      this.#forget(horizon);
    const isFull = now - this.#fullReadAt >= fullReadInterval;
    const from = Math.max(horizon, this.#readAt - (isFull ? commitDelay : usualDelay));
    const [grants, tokens, clients] = await Promise.all([
      readAll((page) => this.#store.listGrants(page), from),
      readAll((page) => this.#store.listTokens(page), from),
      this.#store.listClients(horizon),
    ]);
    const isChanged = [
      addAll(this.#grants, grants),
      addAll(this.#tokens, tokens),
      JSON.stringify(clients) !== JSON.stringify(this.#clients),
    ].includes(true);
    this.#clients = clients;
    this.#readAt = now;
    if (isFull) this.#fullReadAt = now;
    this.#completeFrom = Math.max(this.#completeFrom, horizon);
    if (isChanged) this.version += 1;
    this.#prune();
  }

  #forget(horizon: number): void {
    this.#grants.clear();
    this.#tokens.clear();
    this.#readAt = Number.NEGATIVE_INFINITY;
    this.#fullReadAt = Number.NEGATIVE_INFINITY;
    this.#completeFrom = horizon;
    this.version += 1;
  }

  #prune(): void {
    for (const entries of [this.#grants, this.#tokens]) {
      for (const [id, { revokedAt }] of entries) {
        const isTooMuch = entries.size > this.#most;
        if (isTooMuch) this.#completeFrom = Math.max(this.#completeFrom, revokedAt);
        if (isTooMuch || revokedAt < this.#completeFrom) entries.delete(id);
      }
    }
  }
}

interface Revoked {
  readonly id: string;
  readonly at?: readonly number[] | undefined;
  readonly revokedAt: number;
}

/** Every entry from the time on, in parts. */
export async function* pagesOf<Entry extends Revoked>(
  list: (page: RevocationPage) => Promise<Entry[]>,
  from: number,
): AsyncGenerator<readonly Entry[]> {
  for (let after: Entry | undefined; ; ) {
    const page = await list({ from, after, limit: pageSize });
    yield page;
    after = page.at(-1);
    if (after === undefined || page.length < pageSize) return;
  }
}

async function readAll<Entry extends Revoked>(
  list: (page: RevocationPage) => Promise<Entry[]>,
  from: number,
): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const page of pagesOf(list, from)) for (const entry of page) all.push(entry);
  return all;
}

/** Whether there was a new one. */
function addAll<Entry extends Revoked>(entries: Map<string, Entry>, read: readonly Entry[]): boolean {
  const before = entries.size;
  for (const entry of read) {
    const { id, at } = entry;
    const key = at === undefined ? id : `${id} ${at}`;
    if (!entries.has(key)) entries.set(key, entry);
  }
  return entries.size > before;
}
