import {
  type AccountRegistration,
  canAdministrate,
  checkDisplayName,
  checkLabels,
  checkUsername,
  distinct,
  withTexts,
} from '@watchword/accounts';
import {
  type Account,
  type AccountChange,
  type AccountClaims,
  accountClaimFields,
  accountIdentityProvider,
  checkFields,
  endRights,
  noAccountClaims,
  OAuthError,
  submittedOf,
  type TransactionStores,
  type Violations,
} from '@watchword/protocol';
import { type Caller, requirePerson } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { ofAccount } from './account-record.ts';

// Resource servers that an error names.
const maxNamedRecords = 5;

export type { AccountRegistration };

/** The fields that a change of an account can set. */
export type AccountFields = Pick<
  Account,
  'displayName' | 'roles' | 'groups' | 'adminPrincipal' | 'disabled'
> &
  AccountClaims;

/** The fields of a request, with defaults for those that are left out. */
export function registrationOf(fields: Partial<AccountRegistration>): AccountRegistration {
  const { username = '', displayName, roles = [], groups = [], adminPrincipal = false, ...claims } = fields;
  return { ...claims, username, displayName: displayName || username, roles, groups, adminPrincipal };
}

export function checkNewAccount(registration: AccountRegistration, violations: Violations): void {
  checkUsername(registration.username, violations);
  checkAccountFields({ ...noAccountClaims, ...registration }, violations);
}

function checkAccountFields(fields: Omit<AccountFields, 'disabled'>, violations: Violations): void {
  checkDisplayName(fields.displayName, violations);
  checkLabels('roles', fields.roles, violations);
  checkLabels('groups', fields.groups, violations);
  checkFields(accountClaimFields, fields, { before: undefined, scopeSyntax: undefined }, violations);
  for (const [flag, stated] of [
    ['emailVerified', 'email'],
    ['phoneNumberVerified', 'phoneNumber'],
  ] as const) {
    if (fields[flag] && fields[stated] === '')
      violations.add(flag, `expected false without ${stated}, got true`);
  }
}

/**
 * The change of an account that sets these fields, and what follows from them. Another e-mail address or phone number is not verified,
 * unless the change says so, and a disabled account has no reset link.
 *
 * @throws OAuthError `invalid_request` with every violation
 */
export function accountChange(
  before: Account,
  changed: Partial<AccountFields>,
  violations: Violations,
): AccountFields & AccountChange {
  const after = { ...before, ...changed };
  const { displayName, roles, groups, adminPrincipal, disabled, email, phoneNumber } = after;
  const keepsEmail = email === before.email && before.emailVerified;
  const keepsNumber = phoneNumber === before.phoneNumber && before.phoneNumberVerified;
  const fields = {
    ...submittedOf(accountClaimFields, after),
    address: withTexts(after.address),
    emailVerified: changed.emailVerified ?? keepsEmail,
    phoneNumberVerified: changed.phoneNumberVerified ?? keepsNumber,
    displayName,
    roles: distinct(roles),
    groups: distinct(groups),
    adminPrincipal,
    disabled,
  };
  checkAccountFields(fields, violations);
  violations.throwIfAny();
  return { ...fields, ...(disabled && { resetLink: undefined }) };
}

/** The state of an account in the audit log, without its password and its reset link. */
export function accountState({
  passwordHash,
  resetLink,
  revision,
  enabledRevision,
  needsLongPassword,
  ...account
}: Account) {
  return account;
}

/**
 * What an administrator gave to clients ends with the administrator.
 *
 * @param after the account after the change; `undefined` if it is deleted
 */
export async function endRightsOf(
  before: Account,
  after: Account | undefined,
  stores: Pick<TransactionStores, 'rights' | 'clients' | 'resourceServers'>,
): Promise<AuditedChange[]> {
  const staysOne = after?.adminPrincipal === true && !after.disabled;
  if (staysOne || !before.adminPrincipal) return [];
  return endRights({ giver: ofAccount(before.username).owner }, stores);
}

/** A client with a right to accounts could otherwise log in as an administrator, and have every right. @throws OAuthError `access_denied` */
export function requirePersonFor(
  caller: Caller,
  before: Pick<Account, 'adminPrincipal'> | undefined,
  after: Pick<Account, 'adminPrincipal'> | undefined = undefined,
): void {
  if (before?.adminPrincipal === true) requirePerson(caller, 'change the account of an administrator');
  if (after?.adminPrincipal === true) requirePerson(caller, 'make an administrator');
}

/** An account that owns records is not deleted: the next account of the name would own them. @throws OAuthError `conflict` */
export async function requireNoRecords(
  username: string,
  { resourceServers }: Pick<TransactionStores, 'resourceServers'>,
): Promise<void> {
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const owned = await resourceServers.list({ owner, limit: maxNamedRecords + 1 });
  if (owned.length === 0) return;
  const named = owned.slice(0, maxNamedRecords).map(({ key }) => key);
  const others = owned.length > maxNamedRecords ? ' and others' : '';
  throw new OAuthError('conflict', {
    description: `The account owns the resource servers ${named.join(', ')}${others}. Give them another owner with watchword resource-server update <key> --owner, or delete them. Then delete the account again.`,
  });
}

/**
 * Over the network, an administrator cannot remove the last administrator who can log in. A tool can, because its user can
 * also create an administrator.
 *
 * @param after the account after the change; `undefined` if it is deleted
 * @param linksAfter default: those of now
 * @throws OAuthError `conflict`
 */
export async function requireAdministratorLeft(
  caller: Caller,
  before: Account,
  after: Account | undefined,
  {
    accountLinks,
    accounts,
    credentials,
  }: Pick<TransactionStores, 'accountLinks' | 'accounts' | 'credentials'>,
  linksAfter?: readonly unknown[],
): Promise<void> {
  if (caller.access === undefined || !before.adminPrincipal) return;
  const own = await credentials.listByOwner(ofAccount(before.username).owner);
  // A provider can go, so that a login there stands for no other one.
  const links = canAdministrate(before, own) ? [] : await accountLinks.listOfAccount(before.id);
  if (!canAdministrate(before, own, links)) return;
  if (after !== undefined && canAdministrate(after, own, linksAfter ?? links)) return;
  if (await accounts.hasOtherAdministrator(before.username)) return;
  throw new OAuthError('conflict', {
    description:
      'This is the last local account with which an administrator can log in. First make another account an administrator, and let its user set a password or add a passkey. The operator of the server can also use watchword user at its command line.',
  });
}

/** @throws OAuthError `conflict` */
export function requirePasskeys(
  isAsked: boolean,
  { hasPasskeys = true }: { readonly hasPasskeys?: boolean },
): void {
  if (!isAsked || hasPasskeys) return;
  throw new OAuthError('conflict', {
    description:
      'Browsers allow no passkeys at the address of this server: they need https and a name. The operator of the server changes its setting baseUrl.',
  });
}

export function usernameTaken(): OAuthError {
  return new OAuthError('conflict', { description: 'There is an account with this username already.' });
}

export function noSuchAccount(): OAuthError {
  return new OAuthError('not_found', { description: 'There is no such account.' });
}

/** What descriptions of routes say of callers who are no administrators. */
export const administratorsOnly = 'Only for administrators: any other caller gets 403.';

/** What they say of {@link requireAccountAccess}. */
export const accountCallers = `${administratorsOnly} 404 if the authenticator password is not configured.`;

/**
 * @param hasLocalLogin whether users log in with local accounts on this server
 * @throws OAuthError `access_denied`, `not_found`
 */
export function requireAccountAccess({ isAdministrator }: Caller, hasLocalLogin: boolean): void {
  if (!isAdministrator) {
    throw new OAuthError('access_denied', {
      rule: 'administrator',
      description: 'Only an administrator who logged in can manage accounts.',
    });
  }
  if (hasLocalLogin) return;
  throw new OAuthError('not_found', {
    description: 'This server has no local accounts: the authenticator password is not configured.',
  });
}
