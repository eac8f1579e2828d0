import { StoreUnavailableError } from '@watchword/protocol';

/** Permits one holder at a time, in the order of the calls. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  /** Resolves with the function that ends the turn of this holder. */
  acquire(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const acquired = this.#tail.then(() => resolve);
    this.#tail = promise;
    return acquired;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/**
 * Resolves as the answer does. If it takes longer, rejects, and the answer is dropped.
 *
 * @param limit milliseconds
 */
export async function withinTime<Answer>(answer: Promise<Answer>, limit: number): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new StoreUnavailableError('the database does not answer')), limit);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
