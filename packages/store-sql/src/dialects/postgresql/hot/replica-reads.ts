import type { Clock } from '@watchword/protocol';
import type { HotWork } from '../../../hot/hot-work.ts';
import type { LookupCall } from '../../../hot/lookup.ts';
import type { ReplicaState } from '../../../store.ts';
import type { SessionPool, SessionQuery } from '../connection/session.ts';
import { readTogether } from './read.ts';

/** Milliseconds. Older data are not read: see docs/adr/0075. */
export const oldestReplicaData = 500;
// Milliseconds after which an answer of the replica is not waited for any more.
const patience = 300;
// Milliseconds until a replica that is late, or cannot be reached, is asked again.
const pause = 250;

const heartbeat: SessionQuery = {
  name: 'heartbeat',
  text: 'select h.beaten_at, k.key_bytes from heartbeat as h, digest_key as k where h.id = 1 and k.id = 1',
  values: [],
};

export interface ReplicaOptions {
  readonly pool: SessionPool;
  readonly clock: Clock;
  /** The key of digests, which no two databases share: a server of another cluster is found by it. */
  readonly digestKey: Uint8Array;
}

type Found = Awaited<ReturnType<HotWork['read']>>;

/**
 * Lookups that a replica may answer. The heartbeat is read first, in the same round trip: so rows are at least as new as
 * it. If it is too old, and for rows that the replica does not have, the primary answers.
 */
export class ReplicaReads {
  readonly #options: ReplicaOptions;
  readonly #primary: HotWork['read'];
  #pausedUntil = 0;
  #age: number | undefined;
  #isUsed = false;
  readonly #lookups = { replica: 0, primary: 0 };

  constructor(primary: HotWork['read'], options: ReplicaOptions) {
    this.#primary = primary;
    this.#options = options;
  }

  readonly read: HotWork['read'] = async (calls) => {
    if (!calls.some(({ lookup }) => lookup.mayUseReplica)) return this.#primary(calls);
    const places = calls.flatMap(({ lookup }, place) => (lookup.mayUseReplica ? [place] : []));
    const found = await this.#askReplica(places.map((place) => calls[place] as LookupCall));
    const rows = new Array<Found[number]>(calls.length);
    for (const [index, place] of places.entries()) rows[place] = found?.[index];
    const missing = calls.flatMap((_, place) => (rows[place] === undefined ? [place] : []));
    this.#lookups.replica += calls.length - missing.length;
    this.#lookups.primary += missing.filter((place) => calls[place]?.lookup.mayUseReplica).length;
    if (missing.length === 0) return rows;
    const others = await this.#primary(missing.map((place) => calls[place] as LookupCall));
    for (const [index, place] of missing.entries()) rows[place] = others[index];
    return rows;
  };

  state(): ReplicaState {
    return { age: this.#age, isUsed: this.#isUsed, lookups: { ...this.#lookups } };
  }

  /** Reads the heartbeat. @throws StoreUnavailableError @returns whether it is that of this database */
  async isOfThisDatabase(): Promise<boolean> {
    const { before } = await readTogether(this.#options.pool, [], [heartbeat]);
    return this.#isKnown(before[0]?.rows[0]?.[1]);
  }

  /** `undefined` if the replica cannot be used. */
  async #askReplica(calls: readonly LookupCall[]): Promise<Found | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    const asked = this.#options.clock.now();
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), patience);
    try {
      const answer = await Promise.race([readTogether(this.#options.pool, calls, [heartbeat]), late]);
      const [beatenAt, key] = answer?.before[0]?.rows[0] ?? [];
      this.#age = typeof beatenAt === 'number' ? Math.max(0, asked - beatenAt) : undefined;
      this.#isUsed = this.#age !== undefined && this.#age < oldestReplicaData && this.#isKnown(key);
      if (this.#isUsed) return answer?.found;
    } catch {
      this.#age = undefined;
      this.#isUsed = false;
    } finally {
      clearTimeout(timer);
    }
    this.#pausedUntil = performance.now() + pause;
    return undefined;
  }

  #isKnown(key: unknown): boolean {
    return key instanceof Uint8Array && Buffer.compare(key, this.#options.digestKey) === 0;
  }
}
