import type { Account } from '../model/account.ts';

/** Local accounts. A change is durable when its promise resolves. */
export interface AccountStore {
  /** `false` when the username is taken. */
  create(account: Account): Promise<boolean>;
  find(username: string): Promise<Account | undefined>;
  /** In the order of usernames by code unit. */
  list(query: AccountQuery): Promise<Account[]>;
  /**
   * Changes the account; in the same transaction its login sessions end and its grants die, so that nothing
   * issued before speaks for the old state. `false` when there is no such account.
   */
  update(username: string, change: AccountChange, now: number): Promise<boolean>;
}

export type AccountChange = Partial<Omit<Account, 'username' | 'creationDate'>>;

export interface AccountQuery {
  /** Only usernames after this one. */
  readonly after?: string;
  readonly limit: number;
}
