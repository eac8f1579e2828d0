import type { AttemptLimiter } from '@watchword/protocol';
import type { Siblings, Topic } from './siblings.ts';

type Failure = readonly [source: string, identifier: string];

export const failedAttemptsTopic: Topic<readonly Failure[]> = { name: 'failed-attempts' };

// Milliseconds for which failures are gathered, and how many are sent together. A flood of failures is not sent in full:
// each process counts its own part of it.
const interval = 50;
const maxFailures = 1000;
const maxIdentifierLength = 255;

/** Counts failed authentications over all processes that answer at the port, within {@link interval}. */
export class SharedFailedAttempts implements AttemptLimiter {
  readonly #counts: AttemptLimiter;
  readonly #siblings: Siblings;
  #unsent: Failure[] = [];

  /** @param counts of this process */
  constructor(counts: AttemptLimiter, siblings: Siblings) {
    this.#counts = counts;
    this.#siblings = siblings;
    siblings.listen(failedAttemptsTopic, (failures) => {
      for (const [source, identifier] of failures) counts.recordFailure(source, identifier);
    });
  }

  secondsUntilAllowed(source: string, identifier: string): number {
    return this.#counts.secondsUntilAllowed(source, identifier);
  }

  recordFailure(source: string, identifier: string): number {
    const seconds = this.#counts.recordFailure(source, identifier);
    // The other processes know already that the address is over its limit.
    if (seconds === 0) this.#share([source, identifier.slice(0, maxIdentifierLength)]);
    return seconds;
  }

  #share(failure: Failure): void {
    if (this.#siblings.count === 1 || this.#unsent.length >= maxFailures) return;
    if (this.#unsent.length === 0) setTimeout(() => this.#send(), interval).unref();
    this.#unsent.push(failure);
  }

  #send(): void {
    this.#siblings.tell(failedAttemptsTopic, this.#unsent);
    this.#unsent = [];
  }
}
