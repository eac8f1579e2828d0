import type { RevocationWaits } from '@watchword/protocol';

// Milliseconds between two reads of the database while requests wait.
const interval = 250;
const mostOfResourceServer = 1000;
const most = 10_000;

interface Waiting {
  readonly resourceServerId: number;
  readonly isOver: () => boolean;
  readonly deadline: number;
  readonly resolve: (isChanged: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests that wait for revocations. While there are any, and only then, the database is read again and again. */
export class PolledRevocationWaits implements RevocationWaits {
  readonly #refresh: () => Promise<unknown>;
  readonly #waiting = new Set<Waiting>();
  readonly #counts = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;

  /** @param refresh reads what was revoked, by any node */
  constructor(refresh: () => Promise<unknown>) {
    this.#refresh = refresh;
  }

  /** Number of requests that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  forChange(resourceServerId: number, isOver: () => boolean, deadline: number): Promise<boolean> {
    const ofServer = this.#counts.get(resourceServerId) ?? 0;
    const isFull = this.#waiting.size >= most || ofServer >= mostOfResourceServer;
    if (this.#isClosed || isFull || deadline <= performance.now()) return Promise.resolve(false);
    this.#counts.set(resourceServerId, ofServer + 1);
    this.#timer ??= setInterval(() => void this.#poll(), interval);
    return new Promise((resolve, reject) => {
      this.#waiting.add({ resourceServerId, isOver, deadline, resolve, reject });
    });
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
    const { resourceServerId } = waiting;
    this.#waiting.delete(waiting);
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
