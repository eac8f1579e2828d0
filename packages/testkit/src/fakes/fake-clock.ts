import type { Clock } from '@watchword/protocol';

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;

  /** @param now epoch milliseconds */
  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
