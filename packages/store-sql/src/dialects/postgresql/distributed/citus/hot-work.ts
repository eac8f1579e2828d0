import type { HotWork } from '../../../../hot/hot-work.ts';
import type { SessionPool } from '../../connection/session.ts';
import { groupedCommits } from '../../hot/commit.ts';
import { gathered } from '../../hot/gathered.ts';
import { type HotOptions, readsUnderWay, writingPool } from '../../hot/hot-work.ts';
import { placedCommits } from './commit.ts';
import { Placements } from './placements.ts';
import { placedReads } from './read.ts';

/** Hot work on Citus: each statement touches one placement. */
export function citusHotWork(
  pool: SessionPool,
  { connections, changesSince, onCommit }: HotOptions,
): HotWork {
  const placements = new Placements(pool);
  const writing = writingPool(pool, connections);
  const unplaced = groupedCommits(writing, onCommit);
  return {
    hasShards: true,
    commit: placedCommits({ pool: writing, placements, unplaced, onCommit }),
    read: gathered(placedReads(pool, placements), readsUnderWay),
    changesSince,
  };
}
