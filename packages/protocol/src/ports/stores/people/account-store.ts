import type { Account } from '../../../model/records/account.ts';
import type { Identity } from '../../../model/resource-owner.ts';

/** Local accounts. A change is durable when its promise resolves. */
export interface AccountStore {
  /** `false` if the username or the id is taken. */
  create(account: Account): Promise<boolean>;
  /** Creates many, without those whose username or id is taken. Resolves with the number of new ones. */
  createAll(accounts: readonly Account[]): Promise<number>;
  find(username: string): Promise<Account | undefined>;
  /** Those that exist, in no order. */
  listNamed(usernames: readonly string[]): Promise<Account[]>;
  findById(id: string): Promise<Account | undefined>;
  /** The account whose reset link has this digest, also if the link has expired. */
  findByResetLink(digest: Uint8Array): Promise<Account | undefined>;
  /**
   * Accounts with this e-mail address, verified or not, in the order of their usernames. Small and capital letters of ASCII are the
   * same: people do not type their addresses as they are stored.
   */
  listByEmail(email: string, limit: number): Promise<Account[]>;
  /** The hash of the account whose id is the next one from this text on; `undefined` if there is none, or it has no password. */
  hashNear(id: string): Promise<string | undefined>;
  /** Whether an administrator besides this account can log in: is not disabled, and has a password or a passkey. */
  hasOtherAdministrator(username: string): Promise<boolean>;
  /** In the order of usernames by code point. */
  list(query: AccountQuery): Promise<Account[]>;
  count(): Promise<number>;
  /**
   * Changes the account and counts its revision, which is also its `enabledRevision` if the change enables it. In the same transaction its login sessions end and its grants are revoked, so that no token
   * represents the old state. `undefined` if there is no such account.
   */
  update(username: string, change: AccountChange, now: number): Promise<EndedByChange | undefined>;
  /**
   * Deletes the account. In the same transaction its login sessions end, its grants are revoked and its consents are removed,
   * so that an account that is created later under the same username begins with nothing. `undefined` when there is
   * no such account.
   */
  delete(username: string, now: number): Promise<EndedByChange | undefined>;
  /** Ends and removes the same of a person who logs in at another identity provider, and has no account here. */
  forget(person: Identity, now: number): Promise<EndedByChange>;
  /**
   * Replaces the hash of the password. The reset link ends, and no session. `false` if `from` is no longer the hash of the
   * account; `undefined` where it has none.
   */
  replaceHash(username: string, from: string | undefined, to: string): Promise<boolean>;
}

export type AccountChange = Partial<
  Omit<Account, 'id' | 'username' | 'creationDate' | 'revision' | 'enabledRevision'>
>;

/** The number of sessions and grants that a change ended. */
export interface EndedByChange {
  /** Login sessions. */
  readonly sessions: number;
  /** Grants, with their authorization codes and tokens. */
  readonly grants: number;
}

/** Only accounts of which all of this is true; `undefined` is no condition. */
export interface AccountSelection {
  /** The whole username. */
  readonly username?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly adminPrincipal?: boolean | undefined;
  readonly hasPassword?: boolean | undefined;
}

export interface AccountQuery extends AccountSelection {
  /** Only usernames after this one. */
  readonly after?: string | undefined;
  /**
   * Leaves out accounts whose username, display name, e-mail address and groups cannot contain this text, which is in the form of searches. Others
   * can come too: the caller decides.
   */
  readonly mayContain?: string | undefined;
  readonly limit: number;
}
