import type { Selectable } from 'kysely';
import type { MemoryRegistry } from './memory-registry.ts';
import { toClient, toResourceServer } from './record-columns.ts';
import type { ClientTable, ResourceServerTable } from './schema.ts';

/** Reads of one snapshot of the configuration. */
export interface ConfigurationSnapshot {
  readonly revision: number;
  /** Whoever is behind this revision has missed the removal of a deleted record. */
  readonly purgedRevision: number;
  /** Rows whose revision is greater. */
  resourceServers(since: number): Iterable<Selectable<ResourceServerTable>>;
  clients(since: number): Iterable<Selectable<ClientTable>>;
}

/** Hands a snapshot to `use`; waits for no writer. */
export type ReadConfiguration = (use: (snapshot: ConfigurationSnapshot) => void) => void;

/**
 * Keeps the records in memory equal to those in the database: it polls one number, and reads the rows that
 * changed since, whoever changed them.
 */
export class RegistryFeed {
  readonly #registry: MemoryRegistry;
  readonly #read: ReadConfiguration;
  #seen = -1;
  #timer: NodeJS.Timeout | undefined;

  constructor(registry: MemoryRegistry, read: ReadConfiguration) {
    this.#registry = registry;
    this.#read = read;
  }

  /** Takes over every change that was committed before the call. */
  refresh(): void {
    this.#read((snapshot) => {
      if (snapshot.revision !== this.#seen) this.#takeOver(snapshot);
    });
  }

  /** Polls until {@link stop}. A poll that fails is reported and tried again at the next. */
  start(intervalMs: number, onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => {
      try {
        this.refresh();
      } catch (error) {
        onError(error);
      }
    }, intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #takeOver(snapshot: ConfigurationSnapshot): void {
    const { revision, purgedRevision } = snapshot;
    // What was removed leaves no row to read; nor does what a restored backup does not hold.
    const isComplete = this.#seen >= purgedRevision && this.#seen <= revision;
    const since = isComplete ? this.#seen : -1;
    // Made row by row: a hundred thousand rows at once would outlive the young generation and be copied again and again.
    const resourceServers = Array.from(snapshot.resourceServers(since), (row) => ({
      id: row.id,
      living: row.deleted_at === null ? toResourceServer(row) : undefined,
    }));
    const clients = Array.from(snapshot.clients(since), (row) => ({
      id: row.id,
      living: row.deleted_at === null ? toClient(row) : undefined,
    }));
    if (since === -1) this.#registry.clear();
    for (const { id, living } of resourceServers) {
      if (living !== undefined) this.#registry.putResourceServer(living);
      else this.#registry.removeResourceServer(id);
    }
    for (const { id, living } of clients) {
      if (living !== undefined) this.#registry.putClient(living);
      else this.#registry.removeClient(id);
    }
    this.#seen = revision;
  }
}
