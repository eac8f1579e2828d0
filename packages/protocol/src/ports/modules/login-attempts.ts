/**
 * Limits how fast the secrets of accounts can be guessed. All nodes count in one store. Attempts are slowed down and an
 * account is never locked: docs/adr/0009 has the counts. A device on which the user has logged in before has a count of its
 * own, so that the guesses of others, at the same network address or anywhere, do not slow it down.
 *
 * Only digests of accounts are stored. Accounts are counted separately for each authenticator. The failures of a network
 * address are counted together.
 */
export interface LoginAttempts {
  /**
   * Counts an attempt as failed before the secret is checked, so that simultaneous attempts are all counted. Resolves with 0,
   * or with the milliseconds to wait. If the user must wait, nothing was counted, and the secret must not be checked.
   *
   * @param source network address of the browser
   * @param device of the context
   */
  begin(account: AttemptedAccount, source: string, device?: string): Promise<number>;
  /** The secret was right: the attempt has not failed, and the owner uses this network address. */
  succeed(account: AttemptedAccount, source: string, device?: string): Promise<void>;
  /** The secret was not checked: the attempt is not counted. */
  withdraw(account: AttemptedAccount, source: string, device?: string): Promise<void>;
  /**
   * After the right secret: the text by which the device of this browser is known from now on, the `device` of the login. It
   * also keeps other accounts that `device` knows.
   */
  remember(account: AttemptedAccount, device?: string): string;
  /** Whose turn the attempt takes where secrets wait to be checked. */
  turn(account: AttemptedAccount, source: string, device?: string): LoginTurn;
}

/** Everybody who waits has turns, so that one with many attempts keeps nobody else waiting. */
export interface LoginTurn {
  /** The account, at every device that is known for it, or else the network address of all others there. */
  readonly of: string;
  readonly isKnownDevice: boolean;
}

/**
 * An account as the user typed it, or as the module knows it. `name` is what failures are counted under. Devices and network
 * addresses are known for `secret`: any text that is another one for another secret of the account, so that who logged in
 * with an earlier secret has no advantage.
 */
export type AttemptedAccount = string | { readonly name: string; readonly secret: string };
