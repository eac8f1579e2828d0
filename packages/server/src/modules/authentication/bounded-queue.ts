export interface BoundedQueueOptions {
  /** Pieces of work at a time. */
  readonly concurrency: number;
  /** Pieces of work that may wait beside them. */
  readonly maxWaiting: number;
}

/** Thrown when as much waits as may: nothing was begun. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Runs work in the order of asking, so much at a time, and lets so much wait. */
export class BoundedQueue {
  readonly #options: BoundedQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: BoundedQueueOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    const { concurrency, maxWaiting } = this.#options;
    return this.#running >= concurrency && this.#waiting.length >= maxWaiting;
  }

  /** @throws QueueFullError */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.isFull) throw new QueueFullError('too much work waits');
    if (this.#running < this.#options.concurrency) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes to the next in line, or becomes free.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
