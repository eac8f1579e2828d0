import { StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import type { AssembledStore } from './assemble-store.ts';
import { MemoryRegistry } from './memory-registry.ts';
import { RegistryFeed } from './registry-feed.ts';
import type { Examination, ServerStore } from './store.ts';

const registryPollInterval = 250;
const checkTimeout = 2000;

/** The parts that a dialect adds for the server. */
export interface ServerDatabase {
  /** Migrations that were applied on opening. */
  readonly migrated: readonly string[];
  /** Text for operators if damage was found. */
  readonly damageAdvice: string;
  /** Searches for damage while the server runs. */
  readonly examine?: ServerStore['examine'];
  size: ServerStore['size'];
  free: ServerStore['free'];
  /** Called when the store is closed. */
  release(): void;
}

/** Adds the parts for the server: the records in memory, and its readiness. */
export async function serverStore(
  { hot, proof, ...store }: AssembledStore,
  { migrated, damageAdvice, examine, size, free, release }: ServerDatabase,
): Promise<ServerStore> {
  const registry = new MemoryRegistry();
  const feed = new RegistryFeed(registry, hot.changesSince);
  await feed.refresh();
  let examined: Examination | undefined;
  return {
    ...store,
    async transact(work) {
      const value = await store.transact(work);
      await feed.refresh();
      return value;
    },
    registry,
    migrated,
    registryStatistics: () => registry.statistics(),
    watchRegistry: (onError) => feed.start(registryPollInterval, onError),
    refreshRegistry: () => feed.refresh(),
    check: shared(async () => {
      if (examined?.outcome === 'damaged') throw new StoreUnavailableError(damageAdvice);
      await withinTime(proof.prove()).catch((error: unknown) => {
        throw error instanceof StoreDamagedError ? new StoreUnavailableError(error.message) : error;
      });
    }),
    examine:
      examine &&
      (async (signal) => {
        examined = await examine(signal);
        return examined;
      }),
    size,
    free,
    async close() {
      feed.stop();
      await store.close();
      release();
    },
  };
}

/** Callers during a check get the answer of that check. */
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
