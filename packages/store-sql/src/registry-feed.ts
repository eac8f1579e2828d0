import type { HotWork, RegistryChanges } from './hot/hot-work.ts';
import type { MemoryRegistry } from './memory-registry.ts';
import { Mutex } from './mutex.ts';
import { noRevision } from './registry-changes.ts';

/**
 * Keeps the records in memory equal to the database. It reads the changes after the last revision that it has read, of all
 * processes.
 */
export class RegistryFeed {
  readonly #registry: MemoryRegistry;
  readonly #changesSince: HotWork['changesSince'];
  /** An older snapshot is never applied after a newer one. */
  readonly #turn = new Mutex();
  #revision = noRevision;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;

  constructor(registry: MemoryRegistry, changesSince: HotWork['changesSince']) {
    this.#registry = registry;
    this.#changesSince = changesSince;
  }

  /** Resolves once every change that was committed before the call is in memory. */
  refresh(): Promise<void> {
    return this.#turn.run(async () => {
      const changes = await this.#changesSince(this.#revision);
      if (changes !== undefined) this.#takeOver(changes);
    });
  }

  /** Polls until {@link stop}. A poll that fails is reported, and the next poll reads the same changes. */
  start(intervalMs: number, onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.#poll(onError), intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(onError: (error: unknown) => void): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    await this.refresh().catch(onError);
    this.#isPolling = false;
  }

  #takeOver({ revision, isWhole, resourceServers, clients }: RegistryChanges): void {
    if (isWhole) this.#registry.clear();
    for (const { id, record } of resourceServers) {
      if (record === undefined) this.#registry.removeResourceServer(id);
      else this.#registry.putResourceServer(record);
    }
    for (const { id, record } of clients) {
      if (record === undefined) this.#registry.removeClient(id);
      else this.#registry.putClient(record);
    }
    this.#revision = revision;
  }
}
