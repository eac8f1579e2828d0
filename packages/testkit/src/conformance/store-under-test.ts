import type { Clock, Registry, Stores } from '@watchword/protocol';

/** A store for one test, empty at the start. */
export interface StoreUnderTest extends Stores {
  readonly registry: Registry;
  /** Resolves when the registry holds every change that was committed before the call. */
  refreshRegistry(): Promise<unknown>;
  /** Closes the store and removes its database. */
  close(): Promise<void>;
}

export type OpenStore = (clock: Clock) => Promise<StoreUnderTest>;
