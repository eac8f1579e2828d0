import type { LoginTurn } from '../modules/login-attempts.ts';

/** Hashes passwords slowly. Both methods throw OAuthError `temporarily_unavailable` while too many passwords wait. */
export interface Passwords {
  /** Resolves with the form of the password that the store keeps. */
  hash(password: string): Promise<string>;
  /**
   * Takes the same time for a right password, a wrong one, and for no hash.
   *
   * @param turn whose turn it is when passwords wait
   */
  matches(password: string, hash: string | undefined, turn?: LoginTurn): Promise<boolean>;
}

/** Passwords that are being hashed, that wait for it, and that can wait. */
export interface PasswordLoad {
  readonly running: number;
  readonly waiting: number;
  /** Maximum of `waiting`. */
  readonly limit: number;
}
