import type { SessionPool } from '../../connection/session.ts';

/** Where the rows of a shard are. */
export interface Placement {
  /** The shard of Citus that has it, together with many others: a table of a worker. */
  readonly placement: number;
  /** The group of machines of which one has that table. */
  readonly worker: number;
}

/** By the number of the shard. */
export type PlacementMap = readonly Placement[];

// Milliseconds. An old map does no harm but costs time: a statement then goes to two placements.
const maxAge = 60_000;

/**
 * Says which shards are on one placement, and which placements on one worker, so that their rows can share a statement and a
 * transaction. Citus itself finds the placement of each statement: it is right also while a placement is moved or divided.
 */
export class Placements {
  readonly #pool: SessionPool;
  #map: PlacementMap | undefined;
  #readAt = 0;
  #reading: Promise<PlacementMap> | undefined;

  constructor(pool: SessionPool) {
    this.#pool = pool;
  }

  /** @throws StoreUnavailableError if it was never read, and cannot be read now */
  async map(): Promise<PlacementMap> {
    const map = this.#map;
    if (map === undefined) return this.#read();
    // After an error the old map stays, until the next attempt.
    if (performance.now() - this.#readAt > maxAge) void this.#read().catch(() => {});
    return map;
  }

  #read(): Promise<PlacementMap> {
    this.#reading ??= readMap(this.#pool)
      .then((map) => {
        this.#map = map;
        return map;
      })
      .finally(() => {
        this.#readAt = performance.now();
        this.#reading = undefined;
      });
    return this.#reading;
  }
}

async function readMap(pool: SessionPool): Promise<PlacementMap> {
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
