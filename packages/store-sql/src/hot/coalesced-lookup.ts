import { StoreDamagedError } from '@watchword/protocol';

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
