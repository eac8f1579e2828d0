import type { DigestKeyStore, Registry, Stores } from '@watchword/protocol';
import type { LeaseStore } from './leases.ts';
import type { RegistryStatistics } from './memory-registry.ts';
import type { PurgeOptions, PurgeReport } from './purge.ts';

/** Everything that a process needs of the database. */
export interface Store extends Stores {
  readonly digestKey: DigestKeyStore;
  readonly leases: LeaseStore;
  purge(options: PurgeOptions): Promise<PurgeReport>;
  /** Finishes the writes under way and lets go of the database. */
  close(): Promise<void>;
}

/** What a server needs beyond that. */
export interface ServerStore extends Store {
  readonly registry: Registry;
  /** Migrations that were applied on opening. */
  readonly migrated: readonly string[];
  registryStatistics(): RegistryStatistics;
  /** Takes over changes of other processes until the store is closed. */
  watchRegistry(onError: (error: unknown) => void): void;
  /** Takes over what this process has just changed. */
  refreshRegistry(): Promise<void>;
  /** Resolves when writes can be made durable; rejects with the reason when they cannot, or when damage was found. */
  check(): Promise<void>;
  /** Reads the whole database in a process of its own, which is ended when it takes too long. */
  examine(signal: AbortSignal): Promise<Examination>;
}

/** What an examination of the database came to. */
export interface Examination {
  readonly outcome: 'sound' | 'damaged' | 'unfinished';
  /** What is damaged, in SQLite's words; or why it did not finish. */
  readonly findings: readonly string[];
}

/** How the schema of a database stands to this release, and what was done about it. */
export interface MigrationReport {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by this call. */
  readonly migrated: readonly string[];
}
