import { type Account, accountIdentityProvider } from '../model/account.ts';
import { OAuthError } from '../model/errors.ts';
import type { AccountChange, AccountStore, EndedByChange } from '../ports/account-store.ts';
import type { Random } from '../ports/random.ts';
import type { TransactionStores } from '../ports/transaction.ts';
import { checkDisplayName, checkLabels, checkPassword, checkUsername } from '../rules/account.ts';
import { Violations } from '../rules/registration.ts';
import { difference, ofAccount } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';

// Resource servers that an error names.
const maxNamedRecords = 5;

/** The submitted fields of a new account, without its password. */
export type AccountRegistration = Pick<
  Account,
  'username' | 'displayName' | 'roles' | 'groups' | 'adminPrincipal'
>;

/**
 * Administration of local accounts. Every change ends the login sessions of the account and revokes its grants.
 *
 * @throws OAuthError `invalid_request` with every violation; `not_found` when there is no such account
 */
export interface AccountAdministration {
  /** @throws OAuthError `invalid_request` with every violation; `conflict` when the username is taken */
  create(registration: AccountRegistration, password: string): Promise<Account>;
  setPassword(username: string, password: string): Promise<EndedByChange>;
  setDisabled(username: string, disabled: boolean): Promise<EndedByChange>;
  setAdminPrincipal(username: string, adminPrincipal: boolean): Promise<EndedByChange>;
  /**
   * Deletes the account with the consented scopes of its user. An account of the same name that is created later belongs
   * to another user: it has another subject and no data of this account.
   *
   * @throws OAuthError `conflict` while the account owns resource servers, which the next account of the name would own
   */
  delete(username: string): Promise<EndedByChange>;
  /** Replaces all its groups. */
  setGroups(username: string, groups: readonly string[]): Promise<EndedByChange>;
}

export interface AccountAdministrationDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'> {
  readonly accounts: AccountStore;
  /** The caller who changes accounts, for the audit log. */
  readonly caller: Caller;
  /** Resolves with the form of the password that the store keeps. */
  hashPassword(password: string): Promise<string>;
}

export function accountAdministration(deps: AccountAdministrationDependencies): AccountAdministration {
  const { accounts, clock, hashPassword, caller } = deps;

  const update = (username: string, change: AccountChange): Promise<EndedByChange> =>
    changeRecords(caller, deps, async (stores) => {
      const before = await stores.accounts.find(username);
      if (before === undefined) throw noSuchAccount();
      const ended = await stores.accounts.update(username, change, clock.now());
      if (ended === undefined) throw noSuchAccount();
      const action = change.passwordHash === undefined ? 'update' : 'changePassword';
      const changed = difference(stateOf(before), stateOf({ ...before, ...change }));
      return { value: ended, changes: [{ action, ...ofAccount(username), ...changed }] };
    });

  return {
    async create(registration, password) {
      checkRegistration(registration, password);
      const account = await newAccount(registration, password, deps);
      return changeRecords(caller, deps, async (stores) => {
        if (!(await stores.accounts.create(account))) {
          throw new OAuthError('conflict', {
            description: 'There is an account with this username already.',
          });
        }
        const created = { action: 'create', ...ofAccount(account.username) } as const;
        return { value: account, changes: [{ ...created, after: stateOf(account) }] };
      });
    },

    async setPassword(username, password) {
      const violations = new Violations();
      checkPassword(password, violations);
      violations.throwIfAny();
      // Hashing is expensive: an account that does not exist must not cause it.
      if ((await accounts.find(username)) === undefined) throw noSuchAccount();
      return update(username, { passwordHash: await hashPassword(password) });
    },

    delete: (username) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await stores.accounts.find(username);
        if (before === undefined) throw noSuchAccount();
        await requireNoRecords(username, stores);
        const ended = await stores.accounts.delete(username, clock.now());
        if (ended === undefined) throw noSuchAccount();
        const deleted = { action: 'delete', ...ofAccount(username), before: stateOf(before) } as const;
        return { value: ended, changes: [deleted] };
      }),

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

async function newAccount(
  registration: AccountRegistration,
  password: string,
  { clock, random, hashPassword }: AccountAdministrationDependencies,
): Promise<Account> {
  return {
    ...registration,
    id: newAccountId(random),
    roles: distinct(registration.roles),
    groups: distinct(registration.groups),
    passwordHash: await hashPassword(password),
    disabled: false,
    creationDate: clock.now(),
  };
}

/** 128 random bits. */
function newAccountId(random: Random): string {
  const bytes = Buffer.alloc(16);
  random.fill(bytes);
  return bytes.toString('base64url');
}

/** @throws OAuthError `conflict` */
async function requireNoRecords(username: string, { resourceServers }: TransactionStores): Promise<void> {
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const owned = await resourceServers.list({ owner, limit: maxNamedRecords + 1 });
  if (owned.length === 0) return;
  const named = owned.slice(0, maxNamedRecords).map(({ key }) => key);
  const others = owned.length > maxNamedRecords ? ' and others' : '';
  throw new OAuthError('conflict', {
    description: `The account owns the resource servers ${named.join(', ')}${others}. Give them another owner with watchword resource-server update <key> --owner, or delete them. Then delete the account again.`,
  });
}

/** The state of an account in the audit log, without its password. */
function stateOf({ passwordHash, ...account }: Account) {
  return account;
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
