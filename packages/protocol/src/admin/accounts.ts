import { OAuthError } from '../errors.ts';
import type { Account } from '../model/account.ts';
import type { AccountChange, AccountStore, EndedByChange } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import { checkDisplayName, checkLabels, checkPassword, checkUsername } from '../rules/account.ts';
import { Violations } from '../rules/registration.ts';

/** What may be submitted of a new account, beside its password. */
export type AccountRegistration = Pick<
  Account,
  'username' | 'displayName' | 'roles' | 'groups' | 'adminPrincipal'
>;

/**
 * Every change ends the login sessions of the account and revokes its grants.
 *
 * @throws OAuthError `invalid_request` with every violation; `not_found` when there is no such account
 */
export interface AccountAdministration {
  /** @throws OAuthError `invalid_request` with every violation; `conflict` when the username is taken */
  create(registration: AccountRegistration, password: string): Promise<Account>;
  setPassword(username: string, password: string): Promise<EndedByChange>;
  setDisabled(username: string, disabled: boolean): Promise<EndedByChange>;
  setAdminPrincipal(username: string, adminPrincipal: boolean): Promise<EndedByChange>;
  /** Replaces all its groups. */
  setGroups(username: string, groups: readonly string[]): Promise<EndedByChange>;
}

export interface AccountAdministrationDependencies {
  readonly accounts: AccountStore;
  readonly clock: Clock;
  /** Resolves with the form of the password that the store keeps. */
  hashPassword(password: string): Promise<string>;
}

export function accountAdministration({
  accounts,
  clock,
  hashPassword,
}: AccountAdministrationDependencies): AccountAdministration {
  const update = async (username: string, change: AccountChange): Promise<EndedByChange> => {
    const ended = await accounts.update(username, change, clock.now());
    if (ended === undefined) throw noSuchAccount();
    return ended;
  };

  return {
    async create(registration, password) {
      checkRegistration(registration, password);
      const account: Account = {
        ...registration,
        roles: distinct(registration.roles),
        groups: distinct(registration.groups),
        passwordHash: await hashPassword(password),
        disabled: false,
        creationDate: clock.now(),
      };
      if (await accounts.create(account)) return account;
      throw new OAuthError('conflict', { description: 'There is an account with this username already.' });
    },

    async setPassword(username, password) {
      const violations = new Violations();
      checkPassword(password, violations);
      violations.throwIfAny();
      // Hashing is dear: not for an account that is not there.
      if ((await accounts.find(username)) === undefined) throw noSuchAccount();
      return update(username, { passwordHash: await hashPassword(password) });
    },

    setDisabled: (username, disabled) => update(username, { disabled }),

    setAdminPrincipal: (username, adminPrincipal) => update(username, { adminPrincipal }),

    async setGroups(username, groups) {
      const violations = new Violations();
      checkLabels('groups', groups, violations);
      violations.throwIfAny();
      return update(username, { groups: distinct(groups) });
    },
  };
}

function checkRegistration(registration: AccountRegistration, password: string): void {
  const violations = new Violations();
  checkUsername(registration.username, violations);
  checkDisplayName(registration.displayName, violations);
  checkLabels('roles', registration.roles, violations);
  checkLabels('groups', registration.groups, violations);
  checkPassword(password, violations);
  violations.throwIfAny();
}

function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels)];
}

function noSuchAccount(): OAuthError {
  return new OAuthError('not_found', { description: 'There is no account with this username.' });
}
