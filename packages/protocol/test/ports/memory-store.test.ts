import { memoryStore, storeConformance } from '@watchword/testkit';

// The rules are tested over this store, so it must keep the promises of a real one.
storeConformance('memory store', async (clock) => ({
  ...memoryStore(clock),
  refreshRegistry: async () => {},
  close: async () => {},
}));
