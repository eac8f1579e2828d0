/**
 * Values for what must happen once only, on all nodes together and across restarts: an assertion that is accepted, a result
 * that is read.
 */
export interface OneTimeStore {
  /**
   * Stores a value under the key. One statement decides, and the value is durable when the promise resolves. `false` when the
   * key was stored before, taken or not: then nothing has changed.
   *
   * @param expires epoch milliseconds; from then on the key can be removed
   */
  put(key: string, value: string, expires: number): Promise<boolean>;
  /**
   * The value of the key, for the first caller before it expires; `undefined` for any other caller. One statement
   * decides.
   */
  take(key: string, now: number): Promise<string | undefined>;
}
