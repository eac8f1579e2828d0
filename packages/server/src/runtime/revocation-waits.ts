import type { RevocationWaits, WaitingResourceServer } from '@watchword/protocol';

// Milliseconds between two reads of the database while requests wait.
const interval = 250;

/** Numbers of requests that can wait at the same time. */
interface Places {
  readonly ofResourceServer: number;
  /** Of all together. When all are taken, the owners of resource servers have equal shares. */
  readonly all: number;
}

interface Waiting {
  readonly resourceServerId: number;
  readonly owner: string;
  readonly isOver: () => boolean;
  readonly deadline: number;
  readonly resolve: (isChanged: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests that wait for revocations. While there are any, and only then, the database is read again and again. */
export class PolledRevocationWaits implements RevocationWaits {
  readonly #refresh: () => Promise<unknown>;
  readonly #places: Places;
  readonly #waiting = new Set<Waiting>();
  readonly #counts = new Map<number, number>();
  /** The waiting requests of each owner, the oldest first. */
  readonly #owners = new Map<string, Set<Waiting>>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;

  /** @param refresh reads what was revoked, by any node */
  constructor(refresh: () => Promise<unknown>, places: Places = { ofResourceServer: 1000, all: 10_000 }) {
    this.#refresh = refresh;
    this.#places = places;
  }

  /** Number of requests that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  forChange(
    { id: resourceServerId, owner: name, ownerAuthority }: WaitingResourceServer,
    isOver: () => boolean,
    deadline: number,
  ): Promise<boolean> {
    const ofServer = this.#counts.get(resourceServerId) ?? 0;
    const isFull = ofServer >= this.#places.ofResourceServer;
    if (this.#isClosed || isFull || deadline <= performance.now()) return Promise.resolve(false);
    const owner = JSON.stringify([ownerAuthority, name]);
    const ofOwner = this.#owners.get(owner) ?? new Set();
    const isRoom = this.#waiting.size < this.#places.all || this.#makeRoom(ofOwner.size);
    if (!isRoom) return Promise.resolve(false);
    this.#counts.set(resourceServerId, ofServer + 1);
    this.#owners.set(owner, ofOwner);
    this.#timer ??= setInterval(() => void this.#poll(), interval);
    return new Promise((resolve, reject) => {
      const waiting = { resourceServerId, owner, isOver, deadline, resolve, reject };
      this.#waiting.add(waiting);
      ofOwner.add(waiting);
    });
  }

  /** Ends the oldest wait of the owner who has the most. `false` if that is hardly more than the number. */
  #makeRoom(size: number): boolean {
    let most = new Set<Waiting>();
    for (const waiting of this.#owners.values()) if (waiting.size > most.size) most = waiting;
    const [oldest] = most;
    if (oldest === undefined || most.size <= size + 1) return false;
    this.#end(oldest).resolve(false);
    return true;
  }

  /** Ends all waits, those to come too: the server ends. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting) this.#end(waiting).resolve(false);
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const asked = [...this.#waiting];
    try {
      await this.#refresh();
      for (const waiting of asked) this.#review(waiting);
    } catch (error) {
      // Otherwise the callers would rely on what they have.
      for (const waiting of asked) if (this.#waiting.has(waiting)) this.#end(waiting).reject(error);
    }
    this.#isPolling = false;
  }

  #review(waiting: Waiting): void {
    if (!this.#waiting.has(waiting)) return;
    if (waiting.isOver()) this.#end(waiting).resolve(true);
    else if (waiting.deadline <= performance.now()) this.#end(waiting).resolve(false);
  }

  #end(waiting: Waiting): Waiting {
    const { resourceServerId, owner } = waiting;
    this.#waiting.delete(waiting);
    const ofOwner = this.#owners.get(owner);
    ofOwner?.delete(waiting);
    if (ofOwner?.size === 0) this.#owners.delete(owner);
    const left = (this.#counts.get(resourceServerId) ?? 1) - 1;
    if (left === 0) this.#counts.delete(resourceServerId);
    else this.#counts.set(resourceServerId, left);
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return waiting;
  }
}
