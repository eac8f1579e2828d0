import type { Clock, Registry, Stores } from '@watchword/protocol';
import { FakeClock } from '../fakes/fake-clock.ts';

/** A store for one test, empty at the start. */
export interface StoreUnderTest extends Stores {
  readonly registry: Registry;
  /** Resolves when the registry holds every change that was committed before the call. */
  refreshRegistry(): Promise<unknown>;
  /** Closes the store and removes its database. */
  close(): Promise<void>;
}

export type OpenStore = (clock: Clock) => Promise<StoreUnderTest>;

/** Makes a test body that gets an empty store, which is closed afterwards. */
export function withStore(
  openStore: OpenStore,
  body: (store: StoreUnderTest, clock: FakeClock) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const clock = new FakeClock();
    const store = await openStore(clock);
    try {
      await body(store, clock);
    } finally {
      await store.close();
    }
  };
}
