import type { StoredAuthenticator } from '../../../model/records/stored-authenticator.ts';

/** Reads the authenticators that administrators set up. */
export interface AuthenticatorReader {
  /** Name and revision of each, in the order of creation. */
  heads(): Promise<AuthenticatorHead[]>;
  find(name: string): Promise<StoredAuthenticator | undefined>;
  /** Every name that an authenticator has or had, of the database or the configuration. */
  names(): Promise<UsedName[]>;
}

export interface AuthenticatorHead {
  readonly name: string;
  readonly revision: number;
}

export interface UsedName {
  readonly name: string;
  readonly origin: AuthenticatorOrigin;
}

/** Where the authenticator was set up that used a name first. */
export type AuthenticatorOrigin = 'configuration' | 'database';

/** Changes authenticators, within a transaction. */
export interface AuthenticatorStore extends AuthenticatorReader {
  /** `false`, and nothing is stored, if an authenticator has or had this name. */
  insert(authenticator: Omit<StoredAuthenticator, 'revision'>): Promise<boolean>;
  /** Replaces everything but name, kind and creation date. */
  update(authenticator: Omit<StoredAuthenticator, 'revision'>): Promise<void>;
  /** Its name stays used. */
  remove(name: string): Promise<void>;
  /** Remembers names that the configuration uses, as far as they are not used yet. */
  useNames(names: readonly string[]): Promise<void>;
}
