import type { HotWork } from '../../../hot/hot-work.ts';
import type { Session, SessionPool, SessionQuery } from '../connection/session.ts';
import type { CommandForms } from './command-form.ts';
import { groupedCommits } from './commit.ts';
import { gathered } from './gathered.ts';
import { groupedReads, type LookupForm } from './read.ts';

// Milliseconds for which a connection keeps its plans.
const planLifetime = 10_000;

const discardPlans: SessionQuery = { name: 'discard_plans', text: 'discard plans', values: [] };

/**
 * A connection plans a prepared statement once, for the sizes that tables have then. New tables grow from nothing to millions of rows
 * before PostgreSQL collects statistics and plans again. So connections plan again after some time, which costs less than a
 * millisecond a statement.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function withFreshPlans(pool: SessionPool, now = () => performance.now()): SessionPool {
  const plannedAt = new WeakMap<Session, number>();
  return {
    use: (work) =>
      pool.use(async (session) => {
        // Behind a pooler nothing is prepared: each statement is planned when it runs.
        if (session.begin().length === 1) {
          const planned = plannedAt.get(session);
          if (planned === undefined || now() - planned > planLifetime) {
            plannedAt.set(session, now());
            if (planned !== undefined) await session.pipeline([discardPlans]);
          }
        }
        return work(session);
      }),
  };
}

/** A part of the connections of a pool. Callers beyond the limit wait here, in order, and keep no connection from other work. */
function limitedPool(pool: SessionPool, limit: number): SessionPool {
  const waiting: (() => void)[] = [];
  let inUse = 0;
  return {
    async use<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
      if (inUse >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      else inUse += 1;
      try {
        return await pool.use(work);
      } finally {
        // The next caller takes the place of this one.
        const next = waiting.shift();
        if (next === undefined) inUse -= 1;
        else next();
      }
    },
  };
}

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
