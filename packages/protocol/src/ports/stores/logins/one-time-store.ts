/**
 * Stores values that must be used only once, on all nodes together and also after a restart: an assertion that is accepted,
 * a result that is read.
 */
export interface OneTimeStore {
  /**
   * Stores a value under the key. One statement decides, and the value is durable when the promise resolves. `false`,
   * and nothing is changed, if the key was stored before, even if its value was taken.
   *
   * @param expires epoch milliseconds; from then on the key can be removed
   */
  put(key: string, value: string, expires: number): Promise<boolean>;
  /**
   * The value of the key, for the first caller before it expires; `undefined` for any other caller. One statement
   * decides.
   */
  take(key: string, now: number): Promise<string | undefined>;
  /** The value of the key, for every caller until it is taken or expires. It decides nothing. */
  find(key: string, now: number): Promise<string | undefined>;
}
