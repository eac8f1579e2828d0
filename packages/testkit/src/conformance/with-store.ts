import { FakeClock } from '../fakes/fake-clock.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

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
