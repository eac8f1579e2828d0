import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { countActiveTokens } from '../history/statistics.ts';
import type { HotObserver } from '../hot/batch-spans.ts';
import { type Command, type CommandResult, commandOf } from '../hot/command.ts';
import { GroupCommit, type GroupCommitOptions } from '../hot/group-commit.ts';
import { hotAccess } from '../hot/hot-access.ts';
import type { HotWork } from '../hot/hot-work.ts';
import { statements } from '../hot/statements.ts';
import type { EmptyTable } from '../purge/issued.ts';
import { purgeLag } from '../purge/lag.ts';
import { beginEpoch } from '../purge/new-epoch.ts';
import { purge } from '../purge/purge.ts';
import type { Schema } from '../schema/schema.ts';
import { type Connections, sqlPorts } from './ports.ts';
import type { ServerStore, Store } from './store.ts';

// Milliseconds for which a commit proves that others are possible.
const freshness = 1000;
const littleBytes = 16;
// After a failure: on a full disk a small write often finds room that the next requests will not.
const manyBytes = 65_536;

/** Checks whether writes can be made durable now. */
export class WriteProof {
  readonly #write: (bytes: number) => Promise<unknown>;
  #lastSuccess = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  /**
   * @param write writes this number of bytes, and resolves when they are durable; its result is recorded like any other commit
   */
  constructor(write: (bytes: number) => Promise<unknown>) {
    this.#write = write;
  }

  /** Records whether a commit succeeded. */
  async note<Value>(commit: Promise<Value>): Promise<Value> {
    try {
      const value = await commit;
      this.#lastSuccess = performance.now();
      this.#isFailing = false;
      return value;
    } catch (error) {
      this.#isFailing = true;
      throw error;
    }
  }

  /** Resolves if a commit was possible within the last second, or is possible now. Otherwise rejects with the reason. */
  async prove(): Promise<void> {
    if (!this.#isFailing && performance.now() - this.#lastSuccess < freshness) return;
    await this.#write(this.#isFailing ? manyBytes : littleBytes);
  }
}

// A token request that waits twice for a lock of another process is still answered within five seconds.
const commitTimeout = 4000;

/** A database that a dialect has opened. */
interface OpenedDatabase extends Omit<Connections, 'hot'> {
  readonly hot: HotWork;
  /**
   * The connections of `db`, for removals: their commits do not wait for the disk. If the machine fails, the last of them can be lost, and
   * the rows are removed again. No other commit is, because a commit that waits brings all before it to the disk.
   */
  readonly purging: Kysely<Schema>;
  readonly commits: Pick<GroupCommitOptions<Command, CommandResult>, 'chunkSize' | 'underWay'>;
  /** Milliseconds for which the connection that writes has worked on statements of Kysely. */
  worked(): number;
  /** Number of committed commands. */
  committed(): number;
  readonly emptyTable: EmptyTable;
  readonly observer?: HotObserver | undefined;
  withoutServers: Store['withoutServers'];
  close(): Promise<void>;
}

export interface AssembledStore extends Store, Pick<ServerStore, 'countActiveTokens'> {
  readonly hot: HotWork;
  readonly proof: WriteProof;
}

/** Makes the store of an open database, for any dialect. */
export function assembleStore({
  hot,
  purging,
  commits,
  worked,
  committed,
  emptyTable,
  observer = {},
  withoutServers,
  close,
  ...connections
}: OpenedDatabase): AssembledStore {
  const proof = new WriteProof((bytes) =>
    writes.add(commandOf(statements.proveWritable, { filler: randomBytes(bytes) })),
  );
  const commit = observedCommit(hot, observer);
  const writes = new GroupCommit<Command, CommandResult>({
    commit: (commands) => proof.note(commit(commands)),
    ...commits,
    maxPending: 10_000,
    timeout: commitTimeout,
  });
  return {
    hot,
    proof,
    clock: connections.clock,
    ...sqlPorts({ ...connections, hot: hotAccess(hot, writes, observer.batches) }),
    countActiveTokens: (now, signal) => countActiveTokens(connections.db, connections.segments, now, signal),
    purge: (options) => purge(purging, connections.segments, { ...options, worked, committed }),
    purgeLag: (bounds) => purgeLag(connections.db, bounds),
    beginEpoch: (options) => beginEpoch(connections.db, options, emptyTable),
    withoutServers,
    async close() {
      await writes.idle();
      await close();
    },
  };
}

function observedCommit(hot: HotWork, { batches, onCommitEnd }: HotObserver): HotWork['commit'] {
  const commit: HotWork['commit'] =
    batches === undefined
      ? (commands) => hot.commit(commands)
      : (commands) => batches.run('commit', commands, () => hot.commit(commands));
  if (onCommitEnd === undefined) return commit;
  return async (commands) => {
    const begin = performance.now();
    try {
      return await commit(commands);
    } finally {
      onCommitEnd((performance.now() - begin) / 1000);
    }
  };
}
