/** Hashes passwords slowly. Both methods throw OAuthError `temporarily_unavailable` while too many passwords wait. */
export interface Passwords {
  /** Resolves with the form of the password that the store keeps. */
  hash(password: string): Promise<string>;
  /** Takes the same time for a right password, a wrong one, and for no hash. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}
