import type { Clock } from '@watchword/protocol';
import type { HotWork } from '../../../hot/hot-work.ts';
import type { LookupCall } from '../../../hot/lookup.ts';
import type { ReplicaState } from '../../../store.ts';
import { withinTime } from '../../../within-time.ts';
import type { SessionPool, SessionQuery } from '../connection/session.ts';
import { readTogether } from './read.ts';
import { ReplicaWatch } from './replica-watch.ts';

/** Milliseconds. Older data are not read: see docs/adr/0075. */
export const oldestReplicaData = 500;
// Milliseconds after which an answer of the replica is not waited for any more.
const patience = 300;
// Milliseconds until a replica that is late, or cannot be reached, is asked again.
const pause = 250;

const holder = `(select l.holder from lease as l where l.lease_name = 'replica-heartbeat')`;

const heartbeat: SessionQuery = {
  name: 'heartbeat',
  text: `select h.beaten_at, k.key_bytes, ${holder}
    from heartbeat as h, digest_key as k where h.id = 1 and k.id = 1`,
  values: [],
};

const holderAtPrimary: SessionQuery = { name: 'heartbeat_holder', text: `select ${holder}`, values: [] };

type Read = HotWork['read'];
type Found = Awaited<ReturnType<Read>>;

/**
 * Lookups that a replica may answer. The heartbeat is read first, in the same round trip: so rows are at least as new as
 * it. If it is too old, and for rows that the replica does not have, the primary answers.
 *
 * A copy of the database, such as one restored for tests, has the same keys, and servers of its own that keep its heartbeat young.
 * It is known by the process that has its lease, which is not the one at the primary.
 */
export class ReplicaReads {
  readonly #pool: SessionPool;
  readonly #digestKey: Uint8Array;
  readonly #watch = new ReplicaWatch();
  #pausedUntil = 0;
  /** The process that writes the heartbeat, as the primary had it last. */
  #holder: unknown;
  #age: number | undefined;
  #isUsed = false;
  readonly #lookups = { replica: 0, primary: 0 };

  /** @param digestKey the key of this database, by which a replica of another one is found */
  constructor(pool: SessionPool, digestKey: Uint8Array) {
    this.#pool = pool;
    this.#digestKey = digestKey;
  }

  /**
   * @param primary reads what the replica cannot answer
   * @param primaryPool connections to the primary
   */
  over(primary: Read, primaryPool: SessionPool, clock: Clock): Read {
    return async (calls) => {
      const places = calls.flatMap(({ lookup }, place) => (lookup.mayUseReplica ? [place] : []));
      if (places.length === 0) return primary(calls);
      const found = await this.#ask(
        places.map((place) => calls[place] as LookupCall),
        primaryPool,
        clock,
      );
      const rows = new Array<Found[number]>(calls.length);
      for (const [index, place] of places.entries()) rows[place] = found?.[index];
      const missing = calls.flatMap((_, place) => (rows[place] === undefined ? [place] : []));
      const answered = calls.length - missing.length;
      this.#lookups.replica += answered;
      this.#lookups.primary += places.length - answered;
      if (missing.length === 0) return rows;
      const others = await primary(missing.map((place) => calls[place] as LookupCall));
      for (const [index, place] of missing.entries()) rows[place] = others[index];
      return rows;
    };
  }

  state(): ReplicaState {
    return { age: this.#age, isUsed: this.#isUsed, lookups: { ...this.#lookups } };
  }

  /** @param report see {@link ReplicaWatch.watch} */
  watch(report: (problem: string | undefined) => void): void {
    this.#watch.watch(report);
  }

  /** Whether the server can be a replica of this database. One that cannot be reached now can be. */
  async canBeOfThisDatabase(): Promise<boolean> {
    try {
      const { before } = await readTogether(this.#pool, [], { before: [heartbeat] });
      return this.#isKnown(before[0]?.rows[0]?.[1]);
    } catch (error) {
      this.#watch.failedAtStart(messageOf(error));
      return true;
    }
  }

  /** `undefined` if the replica cannot be used. */
  async #ask(
    calls: readonly LookupCall[],
    primaryPool: SessionPool,
    clock: Clock,
  ): Promise<Found | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    const asked = clock.now();
    this.#isUsed = false;
    try {
      const { found, before } = await withinTime(
        readTogether(this.#pool, calls, { before: [heartbeat] }),
        patience,
      );
      const [beatenAt, key, beater] = before[0]?.rows[0] ?? [];
      const age = asked - Number(beatenAt);
      this.#age = Math.max(0, age);
      const problem = this.#problemOf(age, key) ?? (await this.#problemOfHolder(beater, primaryPool));
      this.#isUsed = problem === undefined;
      this.#watch.saw(problem, asked);
      if (this.#isUsed) return found;
    } catch (error) {
      this.#age = undefined;
      this.#watch.saw(messageOf(error), asked);
    }
    this.#pausedUntil = performance.now() + pause;
    return undefined;
  }

  #problemOf(age: number, key: unknown): string | undefined {
    if (!this.#isKnown(key)) return 'it has another database';
    if (age >= oldestReplicaData) return `its data are ${age} ms old`;
    // It is from a clock that was wrong, and says nothing about the age.
    return age > -oldestReplicaData ? undefined : `its heartbeat is ${-age} ms ahead`;
  }

  /** The primary is asked for the holder of the lease only when the holder at the replica has changed. */
  async #problemOfHolder(beater: unknown, primaryPool: SessionPool): Promise<string | undefined> {
    if (beater === this.#holder) return undefined;
    const [found] = await primaryPool.use((session) => session.pipeline([holderAtPrimary]));
    this.#holder = found?.rows[0]?.[0];
    return beater === this.#holder ? undefined : 'it is a copy of the database with servers of its own';
  }

  #isKnown(key: unknown): boolean {
    return key instanceof Uint8Array && Buffer.compare(key, this.#digestKey) === 0;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
