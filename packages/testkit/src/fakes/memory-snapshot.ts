import type { IssuedCount, ReadSnapshot } from '@watchword/protocol';
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
