import type { Clock, IssuedCount, StatisticsStore } from '@watchword/protocol';
import type { Logger } from './logger.ts';

const hourMs = 3_600_000;
const flushInterval = 60_000;

/**
 * Counts issued tokens by hour, client and grant type in memory, and hands the counts to the store now and then: one
 * row for many tokens. What was not handed over when the process is killed is missing from the statistics, and from
 * nothing else.
 */
export class IssuedCounts {
  readonly #store: StatisticsStore;
  readonly #clock: Clock;
  #counts = new Map<string, { count: IssuedCount; tokens: number }>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(store: StatisticsStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  tokenIssued(grantType: string, clientRecordId: number): void {
    const hour = Math.floor(this.#clock.now() / hourMs);
    this.#add({ hour, clientRecordId, grantType, tokens: 1 });
  }

  /** Resolves once everything counted before is stored; what cannot be stored is kept for the next time. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#write());
    return this.#flushing;
  }

  /** Flushes until the returned function is called, which does so a last time. */
  start(logger: Logger): () => Promise<void> {
    const flush = () =>
      this.flush().catch((error: unknown) => {
        logger.error({ err: error }, 'counts of issued tokens could not be stored; trying again in a minute');
      });
    const timer = setInterval(flush, flushInterval);
    timer.unref();
    return () => {
      clearInterval(timer);
      return flush();
    };
  }

  async #write(): Promise<void> {
    const counts = [...this.#counts.values()].map(({ count, tokens }) => ({ ...count, tokens }));
    if (counts.length === 0) return;
    this.#counts = new Map();
    try {
      await this.#store.addIssued(counts);
    } catch (error) {
      for (const count of counts) this.#add(count);
      throw error;
    }
  }

  #add(count: IssuedCount): void {
    const key = `${count.hour} ${count.clientRecordId} ${count.grantType}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { count, tokens: count.tokens });
    else known.tokens += count.tokens;
  }
}
