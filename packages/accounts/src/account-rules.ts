import {
  type Account,
  type AccountClaims,
  type AttemptedAccount,
  accountClaimFields,
  accountIdentityProvider,
  accountPrincipal,
  type Credential,
  type LoginSession,
  nameProblems,
  noAccountClaims,
  type Random,
  type ResourceOwner,
  randomText,
  subjectOf,
  textProblems,
  type Violations,
} from '@watchword/protocol';

/** Who makes local accounts: administrators alone, the people whom they invite too, or everybody with an e-mail address too. */
export type AccountRegistrationSetting = 'off' | 'invitation' | 'open';

/** Milliseconds after a login in which a person can do what needs a new one. */
export const newLogin = 600_000;

/** Whether the owner of a session has logged in just now. A provider can return a login that is hours old. @param now epoch milliseconds */
export function hasJustLoggedIn(
  { authentication }: Pick<LoginSession, 'authentication'>,
  now: number,
): boolean {
  return now - authentication.authenticatedAt <= newLogin;
}

const maxUsernameLength = 255;
const maxLabels = 100;
const maxLabelLength = 255;

// Control and format characters and lone surrogates are invisible, or no text at all; so are the separators
// of lines. Other white space looks like the plain space, so it is not permitted.
const notInUsernames = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\S ]/u;

// Further characters that are not drawn, such as the Hangul filler, and the empty Braille pattern. Accounts of earlier
// releases can have them, and their users can log in.
const notInNewUsernames = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Whether an account can have this name. Names are compared character by character and never folded, so that
 * `Alice`, `alice` and a full-width `ａｌｉｃｅ` are three people.
 */
export function isUsername(value: string): boolean {
  return (
    value.length >= 1 &&
    value.length <= maxUsernameLength &&
    value.trim() === value &&
    !notInUsernames.test(value)
  );
}

export function checkUsername(value: string, violations: Violations): void {
  if (isUsername(value) && !notInNewUsernames.test(value)) return;
  violations.add(
    'username',
    `is not 1 to ${maxUsernameLength} characters without control or invisible characters, and without space at its ends`,
    value,
  );
}

export function checkDisplayName(value: string, violations: Violations): void {
  violations.addAll('displayName', nameProblems(value), value);
}

/** Roles or groups. */
export function checkLabels(field: string, labels: readonly string[], violations: Violations): void {
  if (labels.length > maxLabels) violations.add(field, `are more than ${maxLabels}`);
  for (const label of labels) {
    if (label.trim() === '') violations.add(field, 'one of them is empty', label);
    violations.addAll(field, textProblems(label, maxLabelLength), label);
  }
}

/** The submitted fields of a new account, without its password. Claims that are left out are not known. */
export type AccountRegistration = Pick<
  Account,
  'username' | 'displayName' | 'roles' | 'groups' | 'adminPrincipal'
> &
  Partial<AccountClaims>;

/** Whether an account can have the address, and its owner can confirm it. @param mail how mails are sent */
export function canBeConfirmed(address: string, mail: { isAddress(text: string): boolean }): boolean {
  return mail.isAddress(address) && Array.from(accountClaimFields.email.check(address)).length === 0;
}

/** Without texts that say nothing. */
export function withTexts(address: Account['address']): Account['address'] {
  return Object.fromEntries(Object.entries(address).filter(([, text]) => text !== ''));
}

export function newAccountId(random: Random): string {
  return randomText(random, 16);
}

/** An account without a password. */
export function newAccount(registration: AccountRegistration, now: number, random: Random): Account {
  return {
    ...noAccountClaims,
    ...registration,
    address: withTexts(registration.address ?? {}),
    id: newAccountId(random),
    roles: distinct(registration.roles),
    groups: distinct(registration.groups),
    passwordHash: undefined,
    disabled: false,
    creationDate: now,
    revision: 1,
    enabledRevision: 0,
  };
}

/** Each label once. */
export function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels)];
}

/**
 * Whether an administrator can log in with the account: by its password, or by one of its credentials alone.
 *
 * @param links where a login at a provider counts too
 */
export function canAdministrate(
  { adminPrincipal, disabled, passwordHash }: Account,
  own: readonly Pick<Credential, 'kind'>[],
  links: readonly unknown[] = [],
): boolean {
  const canLogIn =
    passwordHash !== undefined || links.length > 0 || own.some(({ kind }) => kind === 'passkey');
  return adminPrincipal && !disabled && canLogIn;
}

/** The person who logs in with the account. */
export function ownerOfAccount(
  account: Account,
  { subjectSecret }: { readonly subjectSecret: Uint8Array },
): ResourceOwner {
  const { id: stableId, username: name } = account;
  const identityProvider = accountIdentityProvider;
  const subject = subjectOf(subjectSecret, { identityProvider, stableId, name });
  return { identityProvider, subject, principal: accountPrincipal(account) };
}

/**
 * How attempts at a local account are counted. Failures at an account that does not exist, or is disabled, do not count when
 * it is created, or enabled again.
 *
 * @param username as the user typed it
 */
export function attemptedAccount(username: string, account: Account): Exclude<AttemptedAccount, string>;
export function attemptedAccount(username: string, account: Account | undefined): AttemptedAccount;
export function attemptedAccount(username: string, account: Account | undefined): AttemptedAccount {
  if (account === undefined) return `name ${username}`;
  const { id, enabledRevision, passwordHash = '' } = account;
  return { name: `account ${id} ${enabledRevision}`, secret: `account ${id} ${passwordHash}` };
}
