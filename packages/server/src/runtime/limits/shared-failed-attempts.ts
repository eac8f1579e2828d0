import type { AttemptLimiter } from '@watchword/protocol';
import type { Question, Siblings } from '../nodes/siblings.ts';
import type { FailedAttempts, HeldFailure } from './failed-attempts.ts';

type Failure = readonly [source: string, identifier: string];

interface Failures {
  /** The process that has counted them. */
  readonly from: number;
  readonly failures: readonly Failure[];
}

const failedAttemptsQuestion: Question<true> = { name: 'failed-attempts' };

// Milliseconds for which failures are gathered, and how many are sent together. A flood of failures is not sent in full:
// each process counts its own part of it.
const interval = 50;
const maxFailures = 1000;
const maxIdentifierLength = 255;

/**
 * Counts failed authentications over all processes that answer at the port. Until all others have counted a failure, it counts as one of
 * each process: they can have as many at the same moment. So a burst never passes the limit, and can reach it early for {@link interval}.
 */
export class SharedFailedAttempts implements AttemptLimiter {
  readonly #counts: FailedAttempts;
  readonly #siblings: Siblings;
  readonly #from: number;
  #unsent: Failure[] = [];
  #held: HeldFailure[] = [];

  /**
   * @param counts of this process
   * @param from the number of this process
   */
  constructor(counts: FailedAttempts, siblings: Siblings, from = process.pid) {
    this.#counts = counts;
    this.#siblings = siblings;
    this.#from = from;
    siblings.answer(failedAttemptsQuestion, (argument) => {
      const { from: sender, failures } = argument as Failures;
      if (sender === from) return true;
      for (const [source, identifier] of failures) counts.recordFailure(source, identifier);
      return true;
    });
  }

  secondsUntilAllowed(source: string, identifier: string): number {
    return this.#counts.secondsUntilAllowed(source, identifier);
  }

  recordFailure(source: string, identifier: string): number {
    const held = this.#counts.hold(source, identifier, this.#siblings.count);
    // What is over the limit of its address is not sent: the others are near it too, or will be told.
    if (held.seconds === 0) this.#share([source, identifier.slice(0, maxIdentifierLength)], held);
    else held.release();
    return held.seconds;
  }

  #share(failure: Failure, held: HeldFailure): void {
    if (this.#siblings.count === 1) return;
    if (this.#unsent.length >= maxFailures) {
      held.release();
      return;
    }
    if (this.#unsent.length === 0) setTimeout(() => void this.#send(), interval).unref();
    this.#unsent.push(failure);
    this.#held.push(held);
  }

  async #send(): Promise<void> {
    const [failures, held] = [this.#unsent, this.#held];
    [this.#unsent, this.#held] = [[], []];
    // A process that does not answer is replaced, and begins with no counts.
    await this.#siblings.askAll(failedAttemptsQuestion, { from: this.#from, failures } satisfies Failures);
    for (const each of held) each.release();
  }
}
