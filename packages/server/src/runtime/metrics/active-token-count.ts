import type { Clock } from '@watchword/protocol';
import type { Logger } from '../log/logger.ts';
import { withPatience } from './patience.ts';

// Milliseconds that a count is used.
const leastAge = 60_000;
// A count is used for at least as many times the time that it took, so that counting needs one percent of a processor.
const ageOfDuration = 100;

export interface ActiveTokenCountDependencies {
  readonly store: { countActiveTokens(now: number, signal: AbortSignal): Promise<number> };
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The number of active tokens, for the metrics. A count reads whole indexes, so it begins only when the metrics are read and
 * the count before is old. A server whose metrics are never read never counts.
 */
export class ActiveTokenCount {
  readonly #deps: ActiveTokenCountDependencies;
  readonly #stop = new AbortController();
  #tokens: number | undefined;
  /** Epoch milliseconds. */
  #usedUntil = 0;
  #underWay: Promise<void> | undefined;

  constructor(deps: ActiveTokenCountDependencies) {
    this.#deps = deps;
  }

  /** @returns the last count; `undefined` if there is none yet */
  async read(): Promise<number | undefined> {
    if (this.#deps.clock.now() >= this.#usedUntil) this.#underWay ??= this.#startCount();
    // A reader that has waited for a second gets the count before.
    if (this.#underWay !== undefined) await withPatience(this.#underWay);
    return this.#tokens;
  }

  /** Ends a count that is under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#underWay;
  }

  /** The count can end before this returns, when the store throws at once. So its end is noted afterwards. */
  #startCount(): Promise<void> {
    return this.#count().finally(() => {
      this.#underWay = undefined;
    });
  }

  async #count(): Promise<void> {
    const { store, clock, logger } = this.#deps;
    const started = clock.now();
    try {
      this.#tokens = await store.countActiveTokens(started, this.#stop.signal);
    } catch (error) {
      this.#tokens = undefined;
      if (!this.#stop.signal.aborted) logger.warn({ err: error }, 'the active tokens could not be counted');
    }
    const ended = clock.now();
    this.#usedUntil = ended + Math.max(leastAge, (ended - started) * ageOfDuration);
  }
}
