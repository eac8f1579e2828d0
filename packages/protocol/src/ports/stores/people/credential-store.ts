import type { Credential, CredentialKind } from '../../../model/records/credential.ts';
import type { Identity } from '../../../model/resource-owner.ts';

export interface CredentialUse {
  /** As in `Credential`. */
  readonly counter: number;
  /** Epoch milliseconds. */
  readonly lastUsed: number;
  /** Default: it stays as it is. */
  readonly data?: string;
}

/** How many people have a factor of a kind. */
export interface FactorCounts {
  readonly people: number;
  readonly passkey: number;
  readonly totp: number;
  /** One code at least. */
  readonly recoveryCodes: number;
  /** Neither a passkey nor an app. */
  readonly none: number;
}

export interface CountedPeople {
  /** Local accounts that are not disabled. */
  readonly accounts: FactorCounts;
  /** Those of them that are administrators. */
  readonly administrators: FactorCounts;
  /** Of other identity providers: those with a passkey, an app or a recovery code. */
  readonly others: FactorCounts;
}

/** Credentials of people, which end with their account or their identity provider. A change is durable when its promise resolves. */
export interface CredentialStore {
  /** In the order of their creation. */
  listBySubject(subject: string): Promise<Credential[]>;
  /** Those of everybody who is or was known by the name, in the order of their creation. */
  listByOwner(owner: Identity): Promise<Credential[]>;
  findById(id: string): Promise<Credential | undefined>;
  findByHandle(handle: string): Promise<Credential | undefined>;
  /** Reads the credentials of everybody. */
  countPeople(): Promise<CountedPeople>;
  /**
   * `false`, and nothing is stored, if there is a credential with the handle, or the person has `limit` of the kind. Of calls at once only those within a
   * transaction keep the limit to the letter.
   */
  create(credential: Credential, limit: number): Promise<boolean>;
  /**
   * Somebody proves a login by it. `false`, and nothing is stored, if it is gone, or its counter is not below the new one: so each value is used once, on
   * every node. A counter that is and stays 0 counts nothing.
   */
  use(id: string, use: CredentialUse): Promise<boolean>;
  /** `false` if the person has no such credential. */
  rename(subject: string, id: string, name: string): Promise<boolean>;
  /** `false` if the person has no such credential: of many that delete it, one does. */
  delete(subject: string, id: string): Promise<boolean>;
  /**
   * Resolves with the number of those deleted.
   *
   * @param kinds default: all
   */
  deleteBySubject(subject: string, kinds?: readonly CredentialKind[]): Promise<number>;
}
