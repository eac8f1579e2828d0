/**
 * Limits how fast the secrets of accounts can be guessed. All nodes count in one store. Attempts are slowed down and an
 * account is never locked: fifteen failures an hour from one network address, a hundred from all addresses at which its
 * owner has not logged in lately.
 *
 * An account is whatever text the module knows it by, as it was typed; it is stored as a digest only. The accounts of each
 * authenticator are counted apart, the failures of a network address together.
 */
export interface LoginAttempts {
  /**
   * Counts an attempt as failed, before the secret is checked, so that attempts at the same time all count. Resolves with
   * 0, or with the milliseconds to wait: then nothing was counted, and the secret must not be checked.
   *
   * @param source network address of the browser
   */
  begin(account: string, source: string): Promise<number>;
  /** The secret was right: the attempt has not failed, and the owner uses this network address. */
  succeed(account: string, source: string): Promise<void>;
  /** The secret was not checked: the attempt does not count. */
  withdraw(account: string, source: string): Promise<void>;
}
