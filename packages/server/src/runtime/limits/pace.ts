import { LRUCache } from 'lru-cache';

interface Bucket {
  left: number;
  /** Monotonic milliseconds: when `left` was counted. */
  at: number;
}

/** Limits the memory that a flood of different keys can use. */
const maxTracked = 5000;

/** How often something can be done for a key: some times at once, and then as fast as the bucket fills again. */
export class Pace {
  readonly #atOnce: number;
  /** Milliseconds. */
  readonly #interval: number;
  readonly #now: () => number;
  // Made with the first key, because a cache has its whole memory from the start.
  #buckets: LRUCache<string, Bucket> | undefined;

  /**
   * @param atOnce how often at once
   * @param perSecond how often for as long as it goes on
   * @param now monotonic milliseconds
   */
  constructor(atOnce: number, perSecond: number, now: () => number) {
    this.#atOnce = atOnce;
    this.#interval = 1000 / perSecond;
    this.#now = now;
  }

  /** Counts one for the key. @returns seconds to wait before it can be done; then nothing is counted. 0: it can be done now */
  take(key: string): number {
    this.#buckets ??= new LRUCache({ max: maxTracked });
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { left: this.#atOnce, at: now };
    const left = Math.min(this.#atOnce, bucket.left + (now - bucket.at) / this.#interval);
    if (left < 1) return Math.ceil(((1 - left) * this.#interval) / 1000);
    this.#buckets.set(key, { left: left - 1, at: now });
    return 0;
  }
}
