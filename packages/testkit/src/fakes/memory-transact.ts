import type { IssuedCount, ReadSnapshot, Transact, TransactionStores } from '@watchword/protocol';
import type { MemoryGrants } from './grants/memory-grants.ts';
import { type CountedRecords, memoryStatistics } from './history/memory-statistics.ts';
import { memoryClientList } from './records/memory-clients.ts';

/** Copies the records that can change during the snapshot. Grants are not copied, because no rule reads them in a snapshot. */
export function memorySnapshot(
  { tokens, clients, servers }: CountedRecords,
  memory: MemoryGrants,
  issued: ReadonlyMap<string, IssuedCount>,
): ReadSnapshot {
  return async (read) => {
    const records = { tokens: new Map(tokens), clients: new Map(clients), servers: new Map(servers) };
    return read({
      clients: { list: memoryClientList(records) },
      statistics: memoryStatistics(records, memory, new Map(issued)),
    });
  };
}

/** Everything that a transaction can change. */
interface MemoryState {
  readonly maps: readonly Map<unknown, unknown>[];
  readonly list: unknown[];
  /** Copies the rest. The returned function restores the copy. */
  remember(): () => void;
}

/** Runs transactions one after another, and reverts a transaction that fails. */
export function memoryTransact(stores: TransactionStores, { maps, list, remember }: MemoryState): Transact {
  let last: Promise<unknown> = Promise.resolve();
  const run = async <Value>(work: (stores: TransactionStores) => Promise<Value>): Promise<Value> => {
    const entries = maps.map((map) => [...map]);
    const { length } = list;
    const restore = remember();
    try {
      return await work(stores);
    } catch (error) {
      for (const [index, map] of maps.entries()) {
        map.clear();
        for (const [key, value] of entries[index] ?? []) map.set(key, value);
      }
      list.length = length;
      restore();
      throw error;
    }
  };
  return (work) => {
    const done = last.then(() => run(work));
    last = done.catch(() => {});
    return done;
  };
}
