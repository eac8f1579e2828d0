import type { HotWork } from '../../../hot/hot-work.ts';
import type { SessionPool } from '../connection/session.ts';
import { groupedCommits } from './commit.ts';
import { groupedReads } from './read.ts';

export interface HotConnections {
  readonly writes: SessionPool;
  /** Apart from writes, so that no read waits for a commit. */
  readonly reads: SessionPool;
  readonly changesSince: HotWork['changesSince'];
  /** Called with the number of commands of each transaction. */
  onCommit(batchSize: number): void;
}

/** Hot work on PostgreSQL. */
export function postgresqlHotWork({ writes, reads, changesSince, onCommit }: HotConnections): HotWork {
  return { commit: groupedCommits(writes, onCommit), read: groupedReads(reads), changesSince };
}
