import type { AccountRegistration, FirstFactor } from '@watchword/accounts';
import type { AccountSelection, AccountStore, AuditEventStore, EndedByChange } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import type { Edit, EditCondition, NewRecord } from '../changes/edit.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import type { ListedAccount } from './account-record.ts';
import type { AccountFields } from './account-rules.ts';

export interface AccountFilter extends AccountSelection {
  /** Part of the username, the display name, the e-mail address or a group. */
  readonly q?: string | undefined;
  /** Only usernames after this one. */
  readonly after?: string | undefined;
  /** Whether each account comes with its last login. */
  readonly lastLogin?: boolean | undefined;
}

export interface ChangedAccount extends ListedAccount {
  /** What ended with the change; nothing if no field has another value. */
  readonly ended: EndedByChange;
}

interface AccountWithResetLink extends ListedAccount {
  /** With it the user sets a password, or adds a passkey. No later answer contains it. */
  readonly resetLink: string;
}

/**
 * Local accounts by their ids. Administrators alone can use them, and clients with the right to accounts. No client changes the account of an administrator, or makes one. No method takes or returns a password: users
 * set it, or add a passkey in its place, with the reset link, which is valid for an hour and until it is redeemed, replaced, or ended by a change.
 *
 * Each method throws OAuthError `access_denied`, and `not_found` when there is no such account or no local login.
 */
export interface AccountRecordAdministration {
  /** In the order of usernames by code point. */
  list(
    caller: Caller,
    filter: AccountFilter,
    page: PageRequest<string>,
  ): Promise<Page<ListedAccount, string>>;
  /** Number of all accounts. */
  count(caller: Caller): Promise<number>;
  find(caller: Caller, id: string): Promise<ListedAccount>;
  /**
   * The display name is the username when it is absent.
   *
   * @param factor with which the user begins
   * @throws OAuthError `invalid_request` with every violation; `conflict` when the username is taken, and where browsers allow no passkeys
   */
  create(
    caller: Caller,
    account: NewRecord<AccountRegistration>,
    factor?: FirstFactor,
  ): Promise<AccountWithResetLink>;
  /**
   * Ends the login sessions of the account and revokes its grants. A reset link ends when the account is disabled.
   *
   * @throws OAuthError `precondition_failed`, `invalid_request`; `conflict` for the last administrator who can log in
   */
  update(caller: Caller, id: string, edit: Edit<AccountFields>): Promise<ChangedAccount>;
  /**
   * Removes the password, ends the login sessions, revokes the grants, and makes a reset link.
   *
   * @param factor which the user gets in its place. A passkey skips no factor that the user has
   * @throws OAuthError `precondition_failed`; `conflict` for a disabled account and the last administrator
   */
  resetPassword(
    caller: Caller,
    id: string,
    condition?: EditCondition,
    factor?: FirstFactor,
  ): Promise<AccountWithResetLink & ChangedAccount>;
  /**
   * Deletes the account as `AccountAdministration` does.
   *
   * @throws OAuthError `precondition_failed`; `conflict` for the last administrator and a record owner
   */
  delete(caller: Caller, id: string, condition?: EditCondition): Promise<EndedByChange>;
}

export interface AccountRecordDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'> {
  readonly accounts: AccountStore;
  readonly auditEvents: Pick<AuditEventStore, 'lastLogins'>;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** Whether users log in with local accounts on this server. */
  readonly hasLocalLogin: boolean;
  /** Whether browsers allow passkeys at the address of this server. Default: they do. */
  readonly hasPasskeys?: boolean;
}
