import { type AccountRegistration, checkPassword, newAccount } from '@watchword/accounts';
import {
  type Account,
  type AccountChange,
  type AccountStore,
  type EndedByChange,
  Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { type AuditedChange, difference } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { ofAccount } from './account-record.ts';
import {
  type AccountFields,
  accountChange,
  accountState,
  checkNewAccount,
  endRightsOf,
  noSuchAccount,
  requireNoRecords,
  usernameTaken,
} from './account-rules.ts';

/**
 * Administration of local accounts by their usernames, for tools. Every change ends the login sessions of the account and revokes its grants.
 *
 * @throws OAuthError `invalid_request` with every violation; `not_found` when there is no such account
 */
interface AccountAdministration {
  /** @throws OAuthError `invalid_request` with every violation; `conflict` when the username is taken */
  create(registration: AccountRegistration, password: string): Promise<Account>;
  setPassword(username: string, password: string): Promise<EndedByChange>;
  /** Sets the fields, of which lists and the address are replaced as a whole. */
  update(username: string, changed: Partial<AccountFields>): Promise<EndedByChange>;
  /**
   * Deletes the account with the consented scopes of its user. An account of the same name that is created later belongs
   * to another user: it has another subject and no data of this account.
   *
   * @throws OAuthError `conflict` while the account owns resource servers, which the next account of the name would own
   */
  delete(username: string): Promise<EndedByChange>;
}

interface AccountAdministrationDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'> {
  readonly accounts: AccountStore;
  /** The caller who changes accounts, for the audit log. */
  readonly caller: Caller;
  /** Resolves with the form of the password that the store keeps. */
  hashPassword(password: string): Promise<string>;
}

export function accountAdministration(deps: AccountAdministrationDependencies): AccountAdministration {
  const { accounts, clock, hashPassword, caller } = deps;

  const update = (username: string, changeOf: (before: Account) => AccountChange): Promise<EndedByChange> =>
    changeRecords(caller, deps, async (stores) => {
      const before = await stores.accounts.find(username);
      if (before === undefined) throw noSuchAccount();
      const change = changeOf(before);
      const ended = await stores.accounts.update(username, change, clock.now());
      if (ended === undefined) throw noSuchAccount();
      const action = change.passwordHash === undefined ? 'update' : 'changePassword';
      const changed = difference(accountState(before), accountState({ ...before, ...change }));
      const updated: AuditedChange = { action, ...ofAccount(username), ...changed };
      return {
        value: ended,
        changes: [updated, ...(await endRightsOf(before, { ...before, ...change }, stores))],
      };
    });

  return {
    async create(registration, password) {
      const violations = new Violations();
      checkNewAccount(registration, violations);
      checkPassword(password, registration, violations);
      violations.throwIfAny();
      const passwordHash = await hashPassword(password);
      const account = { ...newAccount(registration, clock.now(), deps.random), passwordHash };
      return changeRecords(caller, deps, async (stores) => {
        if (!(await stores.accounts.create(account))) throw usernameTaken();
        const created = { action: 'create', ...ofAccount(account.username) } as const;
        return { value: account, changes: [{ ...created, after: accountState(account) }] };
      });
    },

    async setPassword(username, password) {
      // Hashing is expensive: an account that does not exist must not cause it.
      const account = await accounts.find(username);
      if (account === undefined) throw noSuchAccount();
      const violations = new Violations();
      checkPassword(password, account, violations);
      violations.throwIfAny();
      const passwordHash = await hashPassword(password);
      return update(username, () => ({ passwordHash, resetLink: undefined }));
    },

    delete: (username) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await stores.accounts.find(username);
        if (before === undefined) throw noSuchAccount();
        await requireNoRecords(username, stores);
        const ended = await stores.accounts.delete(username, clock.now());
        if (ended === undefined) throw noSuchAccount();
        const deleted = { action: 'delete', ...ofAccount(username), before: accountState(before) } as const;
        return { value: ended, changes: [deleted, ...(await endRightsOf(before, undefined, stores))] };
      }),

    update: (username, changed) =>
      update(username, (before) => accountChange(before, changed, new Violations())),
  };
}
