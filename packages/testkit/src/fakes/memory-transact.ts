import type { Transact, TransactionStores } from '@watchword/protocol';

/** Everything that a transaction can change. */
export interface MemoryState {
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
