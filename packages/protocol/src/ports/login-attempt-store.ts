/**
 * Counts failed logins where every node sees them, so that passwords cannot be guessed faster by asking
 * several nodes.
 */
export interface LoginAttemptStore {
  /**
   * Counts an attempt under each key before its password is looked at, so that attempts in parallel all count.
   * Resolves with the milliseconds to wait, 0 when the attempt may go on; one that has to wait is not counted.
   */
  begin(keys: readonly string[], now: number): Promise<number>;
  /** The attempt was right: forgets the failures under the keys. */
  succeed(keys: readonly string[]): Promise<void>;
}
