import type { HotWork } from '../../../hot/hot-work.ts';
import type { SessionPool } from '../connection/session.ts';
import { groupedCommits } from './commit.ts';
import { gathered } from './gathered.ts';
import { limitedPool } from './limited-pool.ts';
import { groupedReads } from './read.ts';

export interface HotOptions {
  /** Number of connections of the pool. */
  readonly connections: number;
  readonly changesSince: HotWork['changesSince'];
  /** Called with the number of commands of each transaction. */
  onCommit(batchSize: number): void;
}

// More gain nothing: they only share the processor (docs/adr/0070).
const readsUnderWay = 2;

/** Hot work on PostgreSQL. */
export function postgresqlHotWork(
  pool: SessionPool,
  { connections, changesSince, onCommit }: HotOptions,
): HotWork {
  return {
    // One connection is left for reads, so that none waits for commits.
    commit: groupedCommits(limitedPool(pool, Math.max(1, connections - 1)), onCommit),
    read: gathered(groupedReads(pool), readsUnderWay),
    changesSince,
  };
}
