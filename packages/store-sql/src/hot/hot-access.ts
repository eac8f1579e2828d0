import { coalescedLookup } from './coalesced-lookup.ts';
import type { Columns, Named } from './columns.ts';
import type { Command, CommandResult } from './command.ts';
import type { GroupCommit } from './group-commit.ts';
import type { HotWork } from './hot-work.ts';
import { callOf, type Lookup, type LookupCall } from './lookup.ts';

/** Hot work as the stores use it. */
export interface HotAccess {
  /** Resolves with the result of the command once it is durable. */
  write(command: Command): Promise<CommandResult>;
  /** The row with that key. Lookups of one turn of the event loop share a snapshot. */
  read<By extends Columns, Found extends Columns>(
    lookup: Lookup<By, Found>,
    key: Named<By>,
  ): Promise<Named<Found> | undefined>;
}

export function hotAccess(hot: HotWork, writes: GroupCommit<Command, CommandResult>): HotAccess {
  const readTogether = coalescedLookup((calls: readonly LookupCall[]) => hot.read(calls));
  return {
    write: (command) => writes.add(command),
    read: <By extends Columns, Found extends Columns>(lookup: Lookup<By, Found>, key: Named<By>) =>
      readTogether(callOf(lookup, key)) as Promise<Named<Found> | undefined>,
  };
}
