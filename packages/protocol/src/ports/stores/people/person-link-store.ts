/**
 * What a link that is mailed to a person does. Each is for one of them alone.
 *
 * - `reset_password`: sets the password of an account
 * - `change_address`: confirms the new address of an account
 * - `sign_up`: confirms the address of a person who signs up, and makes the account
 * - `invitation`: lets a person make an account
 */
export type PersonLinkPurpose = 'reset_password' | 'change_address' | 'sign_up' | 'invitation';

/** A link that is mailed to a person, and is redeemed once. */
export interface PersonLink {
  /** UUIDv7 in canonical text form, which the link names. */
  readonly id: string;
  readonly purpose: PersonLinkPurpose;
  /** SHA-256 digest of the secret of the link, 32 bytes. */
  readonly digest: Uint8Array;
  /** The id of the account, unless there is none yet. */
  readonly accountId?: string;
  /** To which the link is mailed; empty if it is mailed to nobody. */
  readonly address: string;
  /** What is needed when the link is redeemed. Sealed, but for an invitation, which is read again as long as it waits. */
  readonly data: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds. */
  readonly expires: number;
}

export interface PersonLinkQuery {
  readonly purpose?: PersonLinkPurpose | undefined;
  /** Only links of this account. */
  readonly accountId?: string | undefined;
  /** Only links with a later id. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Links that are mailed to people. A change is durable when its promise resolves. */
export interface PersonLinkStore {
  create(link: PersonLink): Promise<void>;
  /** `undefined` once the link is redeemed or ended, or when it has expired. */
  find(id: string, now: number): Promise<PersonLink | undefined>;
  /** In the order in which they were made. Also links that have expired, until the purge removes them. */
  list(query: PersonLinkQuery): Promise<PersonLink[]>;
  /**
   * Ends the link. `true` for the one caller who may do what it is for, on all nodes: another one has redeemed or ended it, or it has
   * expired. One statement decides.
   */
  redeem(id: string, now: number): Promise<boolean>;
  /** Counts a code that somebody types in place of the link. `false`, and nothing is counted, after `limit` of them. One statement decides. */
  countCode(id: string, now: number, limit: number): Promise<boolean>;
  /** Ends the links of an account, or those for one purpose. Resolves with their number. The deletion of an account does it too. */
  endOfAccount(accountId: string, purpose?: PersonLinkPurpose): Promise<number>;
}
