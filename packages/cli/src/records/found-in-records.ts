import { systemClock } from '@watchword/server/system';
import { DatabaseOpenError, openStore, type Store } from '@watchword/store-sql';
import type { NamedDatabase } from '../command/options.ts';

const maxNamed = 20;

/** What a check finds in the records of a database, the first of it by name. */
export async function foundInRecords(
  { named }: NamedDatabase,
  find: (store: Store) => AsyncIterable<string>,
): Promise<string[]> {
  try {
    const store = await openStore({ ...named, clock: systemClock, isMachineClock: true });
    try {
      const found: string[] = [];
      for await (const each of find(store)) found.push(each);
      const more = found.length - maxNamed;
      return more > 0 ? [...found.slice(0, maxNamed), `and ${more} more`] : found;
    } finally {
      await store.close();
    }
  } catch (error) {
    // A database without tables has no records.
    if (error instanceof DatabaseOpenError) return [];
    throw error;
  }
}
