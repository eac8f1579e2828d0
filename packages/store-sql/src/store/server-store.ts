import { StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import { MemoryRegistry } from '../records/memory-registry.ts';
import { RegistryFeed } from '../records/registry-feed.ts';
import { rightsWithGivers } from '../records/rights.ts';
import { withinTime } from '../work/waiting.ts';
import type { AssembledStore } from './assemble-store.ts';
import type { Examination, ServerStore } from './store.ts';

const registryPollInterval = 250;
// Together with the time that the database needs, far less than the second after which a revocation is known to all nodes.
const recordsCurrentFor = 600;
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
  readonly connections?: ServerStore['connections'];
  readonly watchLogin?: ServerStore['watchLogin'];
  readonly readLoginAgain?: ServerStore['readLoginAgain'];
  readonly primary?: ServerStore['primary'];
  /** Absent if the dialect has no such checks. */
  advise?: ServerStore['advise'];
  /** Absent if the store has the clock of this machine. */
  watchClock?: ServerStore['watchClock'];
  /** Calls `heard` when another process has changed registered records. Absent if the database cannot tell. */
  hearChanges?(heard: () => void): void;
  /** Called when the store is closed. */
  release(): void | Promise<void>;
}

/** Adds the parts for the server: the records in memory, and its readiness. */
export async function serverStore(
  { hot, proof, ...store }: AssembledStore,
  { damageAdvice, examine, hearChanges, release, ...database }: ServerDatabase,
): Promise<ServerStore> {
  const registry: MemoryRegistry = new MemoryRegistry(() => feed.refresh());
  const feed = new RegistryFeed(registry, hot.changesSince);
  const isCurrent = () => feed.isYoungerThan(recordsCurrentFor);
  const rights = rightsWithGivers(store.rights, (read) => feed.follow(read), isCurrent);
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
    rights,
    ...database,
    registryStatistics: () => registry.statistics(),
    watchRegistry(onError) {
      feed.start(registryPollInterval, onError);
      hearChanges?.(() => void feed.refresh().catch(onError));
    },
    refreshRegistry: () => feed.refresh(),
    followChanges: (read) => feed.follow(read),
    recordsAreCurrent: isCurrent,
    check: shared(async () => {
      if (examined?.outcome === 'damaged') throw new StoreUnavailableError(damageAdvice);
      await withinTime(proof.prove(), checkTimeout).catch((error: unknown) => {
        throw error instanceof StoreDamagedError ? new StoreUnavailableError(error.message) : error;
      });
    }),
    examine:
      examine &&
      (async (signal) => {
        examined = await examine(signal);
        return examined;
      }),
    async close() {
      feed.stop();
      await store.close();
      await release();
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
