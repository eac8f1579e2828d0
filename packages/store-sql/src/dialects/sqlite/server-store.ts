import type { DatabaseSync } from 'node:sqlite';
import { StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import { MemoryRegistry } from '../../memory-registry.ts';
import { RegistryFeed } from '../../registry-feed.ts';
import type { Examination, ServerStore, Store } from '../../store.ts';
import { sqliteConfiguration } from './configuration.ts';
import { examine } from './examine.ts';
import type { ServerLock } from './server-lock.ts';
import { damageAdvice } from './store-errors.ts';
import type { WriteProof } from './write-proof.ts';

const registryPollInterval = 250;
const checkTimeout = 2000;

export interface AssembledStore extends Store {
  readonly reader: DatabaseSync;
  readonly proof: WriteProof;
}

/** Adds what only the server needs: the records in memory, and the knowledge whether it can serve. */
export function serverStore(
  file: string,
  { reader, proof, ...store }: AssembledStore,
  migrated: readonly string[],
  lock: ServerLock,
): ServerStore {
  const registry = new MemoryRegistry();
  const feed = new RegistryFeed(registry, sqliteConfiguration(reader));
  feed.refresh();
  let examined: Examination | undefined;
  return {
    ...store,
    async transact(work) {
      const value = await store.transact(work);
      feed.refresh();
      return value;
    },
    registry,
    migrated,
    registryStatistics: () => registry.statistics(),
    watchRegistry: (onError) => feed.start(registryPollInterval, onError),
    refreshRegistry: async () => feed.refresh(),
    check: shared(async () => {
      if (examined?.outcome === 'damaged') throw new StoreUnavailableError(damageAdvice);
      await withinTime(proof.prove()).catch((error: unknown) => {
        throw error instanceof StoreDamagedError ? new StoreUnavailableError(error.message) : error;
      });
    }),
    async examine(signal) {
      examined = await examine(file, signal);
      return examined;
    },
    async close() {
      feed.stop();
      await store.close();
      lock.release();
    },
  };
}

/** Askers that come while a check is under way get its answer: however many ask, one waits. */
function shared(check: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function withinTime(answer: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new StoreUnavailableError('the database does not answer')),
    checkTimeout,
  );
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
