import { StoreDamagedError } from '@watchword/protocol';
import type { BatchSpans } from './batch-spans.ts';
import type { Columns, Named } from './columns.ts';
import type { Command, CommandResult } from './command.ts';
import type { GroupCommit } from './group-commit.ts';
import type { HotWork } from './hot-work.ts';
import type { Lookup, LookupCall } from './lookup.ts';

interface Waiting<Key, Found> {
  readonly key: Key;
  readonly resolve: (found: Found) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Gathers the lookups of one turn of the event loop and answers them together, from snapshots that are younger than all of
 * them. So there is one transaction or round trip instead of many, and answers are sent in one burst. If data are damaged, only the lookups
 * that need them fail.
 *
 * @param lookUp finds all keys at once; one result for each, in order, which can be an error
 */
export function coalescedLookup<Key, Found>(
  lookUp: (keys: readonly Key[]) => Promise<readonly (Found | Error)[]>,
): (key: Key) => Promise<Found> {
  let waiting: Waiting<Key, Found>[] = [];

  const answer = async (batch: readonly Waiting<Key, Found>[]): Promise<void> => {
    try {
      const found = await lookUp(batch.map(({ key }) => key));
      batch.forEach(({ resolve, reject }, index) => {
        const result = found[index];
        if (result instanceof Error) reject(result);
        else resolve(result as Found);
      });
    } catch (error) {
      if (error instanceof StoreDamagedError && batch.length > 1)
        for (const each of batch) void answer([each]);
      else for (const { reject } of batch) reject(error);
    }
  };

  const answerAll = () => {
    const batch = waiting;
    waiting = [];
    void answer(batch);
  };

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(answerAll);
      waiting.push({ key, resolve, reject });
    });
}

/** Hot work for the stores. */
export interface HotAccess extends Pick<HotWork, 'hasShards'> {
  /** Resolves with the result of the command when it is durable. */
  write(command: Command): Promise<CommandResult>;
  /**
   * Resolves with the record that `toRecord` makes of the row with the key. Lookups of one turn of the event loop are
   * read together.
   */
  read<By extends Columns, Found extends Columns, Kind>(
    lookup: Lookup<By, Found>,
    key: Named<By>,
    toRecord: (row: Named<Found>) => Kind,
  ): Promise<Kind | undefined>;
}

interface Read extends LookupCall {
  readonly toRecord: (row: Named<Columns>) => unknown;
}

/** @param batches absent if no request is traced */
export function hotAccess(
  hot: HotWork,
  writes: GroupCommit<Command, CommandResult>,
  batches?: BatchSpans,
): HotAccess {
  const readTogether = coalescedLookup(async (reads: readonly Read[]) => {
    const rows = await (batches === undefined
      ? hot.read(reads)
      : batches.run('read', reads, () => hot.read(reads)));
    return reads.map(({ toRecord }, index) => {
      const row = rows[index];
      return row instanceof Error ? row : row && toRecord(row);
    });
  });
  return {
    hasShards: hot.hasShards,
    write(command) {
      batches?.join(command);
      return writes.add(command);
    },
    read: <By extends Columns, Found extends Columns, Kind>(
      lookup: Lookup<By, Found>,
      key: Named<By>,
      toRecord: (row: Named<Found>) => Kind,
    ) => {
      const read = { lookup, parameters: lookup.parametersOf(key), toRecord } as unknown as Read;
      batches?.join(read);
      return readTogether(read) as Promise<Kind | undefined>;
    },
  };
}
