import type { Client, ClientCounts, Clock, SnapshotStores } from '@watchword/protocol';

interface Kept {
  readonly since: number;
  readonly counts: Promise<ClientCounts>;
}

/** The maximum number of tokens, and of grants, that are counted for each client. */
export const countLimit = 10_000;

const maxKept = 10_000;

/** Counts of clients. Those that are not older than `maxAge` milliseconds are not read again. */
export function keptCounts(clock: Clock) {
  const kept = new Map<number, Kept>();
  return async (
    client: Client,
    { statistics }: Pick<SnapshotStores, 'statistics'>,
    maxAge: number,
  ): Promise<ClientCounts> => {
    const now = clock.now();
    const known = kept.get(client.id);
    if (known !== undefined && Math.abs(now - known.since) < maxAge)
      return { ...(await known.counts), read: 0 };
    if (kept.size >= maxKept) kept.clear();
    const counts = statistics.countOf(client, now, countLimit);
    kept.set(client.id, { since: now, counts });
    counts.catch(() => kept.delete(client.id));
    return counts;
  };
}
