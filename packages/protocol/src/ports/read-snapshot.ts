import type { ClientStore } from './client-store.ts';
import type { StatisticsStore } from './statistics-store.ts';

/** The stores as one state of the data shows them. */
export interface SnapshotStores {
  readonly clients: Pick<ClientStore, 'list'>;
  readonly statistics: Pick<StatisticsStore, 'countOf' | 'issued'>;
}

/**
 * Runs reads that see one state of the data, not older than the call, whatever is written meanwhile. They wait for no
 * writer, and no writer waits for them.
 */
export type ReadSnapshot = <Value>(read: (stores: SnapshotStores) => Promise<Value>) => Promise<Value>;
