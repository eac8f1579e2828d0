import type { AttemptLimiter } from '@watchword/protocol';

/** Allows everything until told otherwise, and remembers what it was told. */
export class RecordingLimiter implements AttemptLimiter {
  /** What `secondsUntilAllowed` answers. */
  blockedFor = 0;
  /** What `recordFailure` answers. */
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
