import type { BatchSpans } from './batch-spans.ts';
import { coalescedLookup } from './coalesced-lookup.ts';
import type { Columns, Named } from './columns.ts';
import type { Command, CommandResult } from './command.ts';
import type { GroupCommit } from './group-commit.ts';
import type { HotWork } from './hot-work.ts';
import type { Lookup, LookupCall } from './lookup.ts';

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
