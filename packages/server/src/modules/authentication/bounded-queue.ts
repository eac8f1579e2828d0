export interface BoundedQueueOptions {
  /** Maximum number of tasks that run at the same time. */
  readonly concurrency: number;
  /** Maximum number of tasks that wait. */
  readonly maxWaiting: number;
}

/** Thrown when the queue is full. The task did not begin. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Runs tasks in their order: some at a time, while a limited number waits. */
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
    if (this.isFull) throw new QueueFullError('the queue is full');
    if (this.#running < this.#options.concurrency) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next task runs, or the place becomes free.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
