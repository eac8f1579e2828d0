import type { AttemptLimiter } from '@watchword/protocol';

/** Allows every attempt until a test sets a delay, and records its calls. */
export class RecordingLimiter implements AttemptLimiter {
  /** The result of `secondsUntilAllowed`. */
  blockedFor = 0;
  /** The result of `recordFailure`. */
  waitAfterFailure = 0;
  readonly failures: [source: string, identifier: string][] = [];
  readonly questions: [source: string, identifier: string][] = [];

  secondsUntilAllowed(source: string, identifier: string): number {
    this.questions.push([source, identifier]);
    return this.blockedFor;
  }

  recordFailure(source: string, identifier: string): number {
    this.failures.push([source, identifier]);
    return this.waitAfterFailure;
  }
}
