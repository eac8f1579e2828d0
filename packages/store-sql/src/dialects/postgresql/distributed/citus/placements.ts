import type { SessionPool } from '../../connection/session.ts';

/** Where the rows of a shard are. */
export interface Placement {
  /** The shard of Citus that has it, together with many others: a table of a worker. */
  readonly placement: number;
  /** The group of machines of which one has that table. */
  readonly worker: number;
}

// Milliseconds. An old map does no harm but costs time: a statement then goes to two placements.
const maxAge = 60_000;

/**
 * Says which shards are on one placement, and which placements on one worker, so that their rows can share a statement and a
 * transaction. Citus itself finds the placement of each statement: it is right also while a placement is moved or divided.
 */
export class Placements {
  readonly #pool: SessionPool;
  #map: readonly Placement[];
  #readAt = performance.now();
  #isReading = false;

  private constructor(pool: SessionPool, map: readonly Placement[]) {
    this.#pool = pool;
    this.#map = map;
  }

  static async read(pool: SessionPool): Promise<Placements> {
    return new Placements(pool, await readMap(pool));
  }

  /** @param shard 0 to 4095 */
  of(shard: number): Placement {
    if (performance.now() - this.#readAt > maxAge) void this.#readAgain();
    return this.#map[shard] as Placement;
  }

  async #readAgain(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    // After an error the old map stays, until the next time.
    this.#map = await readMap(this.#pool).catch(() => this.#map);
    this.#readAt = performance.now();
    this.#isReading = false;
  }
}

async function readMap(pool: SessionPool): Promise<Placement[]> {
  const [found] = await pool.use((session) => session.pipeline([{ text: mapText, values: [] }]));
  return (found?.rows ?? []).map(([placement, worker]) => ({
    placement: Number(placement),
    worker: Number(worker),
  }));
}

const mapText = `select found.shardid, min(p.groupid)
  from (select s.shard, get_shard_id_for_distribution_column('authorization_grant', s.shard) as shardid
    from generate_series(0, 4095) as s (shard)) as found
  join pg_dist_placement as p on p.shardid = found.shardid
  group by found.shard, found.shardid order by found.shard`;
