import type { IssuedCount, ReadSnapshot } from '@watchword/protocol';
import { memoryClientList } from './memory-clients.ts';
import type { MemoryGrants } from './memory-grants.ts';
import { type CountedRecords, memoryStatistics } from './memory-statistics.ts';

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
