import type { DatabaseSync } from 'node:sqlite';
import { coalescedLookup } from '../../coalesced-lookup.ts';
import { inSnapshot } from './snapshot.ts';

/** Resolves with what was read. */
export type SnapshotRead = <Found>(read: () => Found) => Promise<Found>;

/**
 * Does the reads of one turn of the event loop, whatever they are for, in one snapshot on this thread's
 * connection: to begin one costs as much as to find a row.
 */
export function snapshotReads(reader: DatabaseSync): SnapshotRead {
  const readTogether = coalescedLookup((reads: readonly (() => unknown)[]) =>
    inSnapshot(reader, () => reads.map((read) => read())),
  );
  return <Found>(read: () => Found) => readTogether(read) as Promise<Found>;
}
