interface Waiting<Key, Found> {
  readonly key: Key;
  readonly resolve: (found: Found) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Gathers the look-ups of one turn of the event loop and answers them together, from a snapshot that is
 * younger than any of them: one transaction instead of many, and answers that leave in one burst.
 *
 * @param lookUp finds all keys at once; one result for each, in order
 */
export function coalescedLookup<Key, Found>(
  lookUp: (keys: readonly Key[]) => readonly Found[],
): (key: Key) => Promise<Found> {
  let waiting: Waiting<Key, Found>[] = [];

  const answer = () => {
    const batch = waiting;
    waiting = [];
    try {
      const found = lookUp(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => {
        resolve(found[index] as Found);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(answer);
      waiting.push({ key, resolve, reject });
    });
}
