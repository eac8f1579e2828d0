import type { ClientStore } from './client-store.ts';
import type { StatisticsStore } from './statistics-store.ts';

/** Stores that show one state of the data. */
export interface SnapshotStores {
  readonly clients: Pick<ClientStore, 'list'>;
  readonly statistics: Pick<StatisticsStore, 'countOf' | 'issued' | 'issuedTo' | 'busiest'>;
}

/**
 * Runs reads that all see the same state of the data, which is not older than the call. They do not wait for writes, and
 * writes do not wait for them.
 */
export type ReadSnapshot = <Value>(read: (stores: SnapshotStores) => Promise<Value>) => Promise<Value>;
