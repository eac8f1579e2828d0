import type { DatabaseSync } from 'node:sqlite';
import { coalescedLookup } from '../coalesced-lookup.ts';
import { inSnapshot } from './snapshot.ts';

/** Answers the look-ups of one turn of the event loop from one snapshot on this thread's connection. */
export function snapshotLookup<Found>(
  reader: DatabaseSync,
  find: (id: string) => Found,
): (id: string) => Promise<Found> {
  return coalescedLookup((ids: readonly string[]) => inSnapshot(reader, () => ids.map(find)));
}
