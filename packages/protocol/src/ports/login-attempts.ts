/**
 * Limits how fast the secrets of accounts can be guessed. All nodes count in one store. Attempts are slowed down and an
 * account is never locked: fifteen failures an hour from one network address, a hundred from all addresses from which
 * its owner has not logged in recently.
 *
 * An account is any text by which the module identifies it, as the user typed it. Only its digest is stored. Accounts are
 * counted separately for each authenticator. The failures of a network address are counted together.
 */
export interface LoginAttempts {
  /**
   * Counts an attempt as failed before the secret is checked, so that simultaneous attempts are all counted. Resolves with 0,
   * or with the milliseconds to wait. If the user must wait, nothing was counted, and the secret must not be checked.
   *
   * @param source network address of the browser
   */
  begin(account: string, source: string): Promise<number>;
  /** The secret was right: the attempt has not failed, and the owner uses this network address. */
  succeed(account: string, source: string): Promise<void>;
  /** The secret was not checked: the attempt is not counted. */
  withdraw(account: string, source: string): Promise<void>;
}
