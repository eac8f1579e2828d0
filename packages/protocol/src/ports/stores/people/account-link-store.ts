/** A person of another identity provider. */
export interface ProvidedIdentity {
  /** The subject that the person has without a local account (`subjectOf`). */
  readonly subject: string;
  /** Name of the authenticator with which the person logs in. */
  readonly authenticator: string;
  /** As in `Identity`. */
  readonly identityProvider: string;
  /** The name of the person there, when it was linked: for people to read. */
  readonly name: string;
}

/** Lets a person of another identity provider log in to a local account. */
export interface AccountLink extends ProvidedIdentity {
  readonly accountId: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds of the last login by it; 0 if there was none. */
  readonly lastUsed: number;
}

/** Links of local accounts. A change is durable when its promise resolves. */
export interface AccountLinkStore {
  /**
   * `false`, and nothing is stored, if the person is linked already, or the account has a link with this authenticator. One statement
   * decides.
   */
  create(link: AccountLink): Promise<boolean>;
  find(subject: string): Promise<AccountLink | undefined>;
  /** In the order of the names of their authenticators. */
  listOfAccount(accountId: string): Promise<AccountLink[]>;
  /** Somebody logs in by the link. `false` if it is gone. */
  noteUse(subject: string, now: number): Promise<boolean>;
  /** `false` if there is none. */
  delete(accountId: string, authenticator: string): Promise<boolean>;
}
