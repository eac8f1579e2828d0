import type { DatabaseSync } from 'node:sqlite';
import { coalescedLookup } from '../coalesced-lookup.ts';
import { inSnapshot } from './snapshot.ts';

/** Answers the look-ups of one turn of the event loop from one snapshot on this thread's connection. */
export function snapshotLookup<Found, Key = string>(
  reader: DatabaseSync,
  find: (key: Key) => Found,
): (key: Key) => Promise<Found> {
  return coalescedLookup((keys: readonly Key[]) => inSnapshot(reader, () => keys.map((key) => find(key))));
}
