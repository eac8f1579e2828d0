import type { HotWork, RegistryChanges } from '../hot/hot-work.ts';
import { Mutex, withinTime } from '../work/waiting.ts';
import type { MemoryRegistry } from './memory-registry.ts';
import { noRevision } from './registry-changes.ts';

// Milliseconds. A connection that hangs must not keep a node from reading the changes by another one.
const patience = 1000;

/**
 * Keeps the records in memory equal to the database. It reads the changes after the last revision that it has read, of all
 * processes.
 */
export class RegistryFeed {
  readonly #registry: MemoryRegistry;
  readonly #changesSince: HotWork['changesSince'];
  /** An older snapshot is never applied after a newer one. */
  readonly #turn = new Mutex();
  /** The read that begins when the present one has ended. Callers share it. */
  #next: Promise<boolean> | undefined;
  #revision = noRevision;
  /** When the last successful read began, in monotonic milliseconds. */
  #readAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  readonly #followers: (() => Promise<void>)[] = [];

  constructor(registry: MemoryRegistry, changesSince: HotWork['changesSince']) {
    this.#registry = registry;
    this.#changesSince = changesSince;
  }

  /**
   * Resolves once every change that was committed before the call is in memory, with whether there were changes.
   *
   * @throws StoreUnavailableError
   */
  refresh(): Promise<boolean> {
    this.#next ??= this.#turn.run(() => {
      this.#next = undefined;
      return this.#read();
    });
    return this.#next;
  }

  /**
   * Calls `read` after each change. A change counts as read when it has resolved; when it rejects, the next read of the feed
   * reads the same changes again.
   */
  follow(read: () => Promise<void>): void {
    this.#followers.push(read);
  }

  /** Whether every change is in memory that was committed so many milliseconds ago. */
  isYoungerThan(milliseconds: number): boolean {
    return performance.now() - this.#readAt < milliseconds;
  }

  /** Polls until {@link stop}. A poll that fails is reported, and the next poll reads the same changes. */
  start(intervalMs: number, onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.#poll(onError), intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #read(): Promise<boolean> {
    const begin = performance.now();
    const changes = await this.#changesSince(this.#revision);
    if (changes !== undefined) await this.#takeOver(changes);
    this.#readAt = begin;
    return changes !== undefined;
  }

  async #poll(onError: (error: unknown) => void): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    await this.refresh().catch(onError);
    this.#isPolling = false;
  }

  async #takeOver({ revision, isWhole, resourceServers, clients }: RegistryChanges): Promise<void> {
    if (isWhole) this.#registry.clear();
    for (const { id, record } of resourceServers) {
      if (record === undefined) this.#registry.removeResourceServer(id);
      else this.#registry.putResourceServer(record);
    }
    for (const { id, record } of clients) {
      if (record === undefined) this.#registry.removeClient(id);
      else this.#registry.putClient(record);
    }
    await withinTime(Promise.all(this.#followers.map((read) => read())), patience);
    this.#revision = revision;
  }
}
