import type { Clock, IssuedCount, StatisticsStore } from '@watchword/protocol';
import { storeInParts } from './flushing.ts';

const hourMs = 3_600_000;

/** Tokens by grant type and by record id of the client: an object for each client would outlive many collections of garbage. */
type Counts = Map<string, Map<number, number>>;

/**
 * Counts issued tokens by hour, client and grant type in memory, and stores the counts at intervals: one row for many
 * tokens. If the process is killed, the counts that are not stored are missing from the statistics only.
 */
export class IssuedCounts {
  readonly #store: StatisticsStore;
  readonly #clock: Clock;
  readonly #byHour = new Map<number, Counts>();
  /** The last hour and its counts. Nearly every token belongs to it. */
  #hour = -1;
  #counts: Counts = new Map();
  #flushing: Promise<void> = Promise.resolve();

  constructor(store: StatisticsStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  tokenIssued(grantType: string, clientRecordId: number): void {
    this.#add(Math.floor(this.#clock.now() / hourMs), clientRecordId, grantType, 1);
  }

  /** Resolves when all earlier counts are stored. Counts that cannot be stored are kept for the next attempt. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    // Neighbours are stored together: their rows are on the same pages.
    const counts = this.#take().sort((a, b) => b.clientRecordId - a.clientRecordId);
    await storeInParts(
      counts,
      (part) => this.#store.addIssued(part),
      ({ hour, clientRecordId, grantType, tokens }) => this.#add(hour, clientRecordId, grantType, tokens),
    );
  }

  #take(): IssuedCount[] {
    const counts = [...this.#byHour].flatMap(([hour, byType]) =>
      [...byType].flatMap(([grantType, byClient]) =>
        [...byClient].map(([clientRecordId, tokens]) => ({ hour, clientRecordId, grantType, tokens })),
      ),
    );
    this.#byHour.clear();
    this.#hour = -1;
    return counts;
  }

  #add(hour: number, clientRecordId: number, grantType: string, tokens: number): void {
    if (hour !== this.#hour) {
      this.#counts = this.#byHour.get(hour) ?? new Map();
      this.#byHour.set(hour, this.#counts);
      this.#hour = hour;
    }
    const byClient = this.#counts.get(grantType);
    if (byClient === undefined) this.#counts.set(grantType, new Map([[clientRecordId, tokens]]));
    else byClient.set(clientRecordId, (byClient.get(clientRecordId) ?? 0) + tokens);
  }
}
