import type { HotWork } from '../../../hot/hot-work.ts';
import type { SessionPool } from '../connection/session.ts';
import type { CommandForms } from './command-form.ts';
import { groupedCommits } from './commit.ts';
import { withFreshPlans } from './fresh-plans.ts';
import { gathered } from './gathered.ts';
import { limitedPool } from './limited-pool.ts';
import { groupedReads, type LookupForm } from './read.ts';

export interface HotOptions {
  /** Number of connections of the pool. */
  readonly connections: number;
  readonly changesSince: HotWork['changesSince'];
  /** Called with the number of commands of each transaction. */
  onCommit(batchSize: number): void;
  /** How an engine writes and reads rows with a shard. Default: there are none. */
  readonly sharded?: { readonly commands: CommandForms; readonly lookups: LookupForm } | undefined;
}

// More gain nothing: they only share the processor (docs/adr/0070).
export const readsUnderWay = 2;

/** Hot work on PostgreSQL. */
export function postgresqlHotWork(
  pool: SessionPool,
  { connections, changesSince, onCommit, sharded }: HotOptions,
): HotWork {
  const planned = withFreshPlans(pool);
  return {
    hasShards: sharded !== undefined,
    commit: groupedCommits(writingPool(planned, connections), onCommit, sharded?.commands),
    read: gathered(groupedReads(planned, sharded?.lookups), readsUnderWay),
    changesSince,
  };
}

/** One connection is left for reads, so that none waits for commits. */
export function writingPool(pool: SessionPool, connections: number): SessionPool {
  return limitedPool(pool, Math.max(1, connections - 1));
}
