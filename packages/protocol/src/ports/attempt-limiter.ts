/**
 * Bounds how often credentials may be guessed. Only failures count, and no success resets a count, so a
 * caller who holds the right secret is never slowed down by its own traffic.
 */
export interface AttemptLimiter {
  /**
   * Seconds until `identifier` may be tried again from `source`, 0 when it may be tried now.
   * `source` is the network address of the caller.
   */
  secondsUntilAllowed(source: string, identifier: string): number;
  /**
   * Counts a failure. Returns the seconds to wait when `source` has failed too often over all
   * identifiers, else 0.
   */
  recordFailure(source: string, identifier: string): number;
}
