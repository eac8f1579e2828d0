/**
 * Limits how often a caller can guess credentials. Only failures are counted, so a caller with the right secret is never
 * slowed down by its own requests. A success does not reset a count.
 */
export interface AttemptLimiter {
  /**
   * Seconds until the caller can try `identifier` again, 0 = now.
   *
   * @param source network address of the caller
   */
  secondsUntilAllowed(source: string, identifier: string): number;
  /**
   * Counts a failure. Returns the seconds to wait if `source` has too many failures with all identifiers together,
   * otherwise 0.
   */
  recordFailure(source: string, identifier: string): number;
}
