/**
 * An authenticator that administrators set up, beside those of the configuration. Its name is a part of the identity of its users.
 */
export interface StoredAuthenticator {
  /** It never changes, and no other authenticator ever has it, also after this one is deleted. */
  readonly name: string;
  /** An entry of `authenticatorKinds`. A later release can have stored one that this release does not know. */
  readonly kind: string;
  /** What users read at the choice of a login. */
  readonly label: string;
  /** Whether users can log in. Sessions and tokens of those who did stay valid. */
  readonly enabled: boolean;
  /** The fields of its kind. */
  readonly settings: AuthenticatorSettings;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds. */
  readonly modificationDate: number;
  /** Greater after each change of any stored authenticator. */
  readonly revision: number;
}

export type AuthenticatorSettings = Readonly<Record<string, string | boolean | readonly string[]>>;
