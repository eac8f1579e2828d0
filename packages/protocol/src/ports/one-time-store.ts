/**
 * What may happen once, on all nodes together and whatever restarts in between: an assertion that is accepted, a
 * result that is picked up.
 */
export interface OneTimeStore {
  /**
   * Notes the key, with a value that waits to be taken; durable when it resolves. Decided by one statement.
   * `false` when the key was noted before, taken or not: then nothing has changed.
   *
   * @param expires epoch milliseconds; until then the key is remembered, afterwards it may be forgotten
   */
  put(key: string, value: string, expires: number): Promise<boolean>;
  /**
   * The value of the key, for the first who asks before it expires; `undefined` for everybody else. Decided by
   * one statement.
   */
  take(key: string, now: number): Promise<string | undefined>;
}
