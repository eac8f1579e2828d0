import {
  type Account,
  type AuditEvent,
  accountIdentityProvider,
  type Browser,
  type BrowserCookies,
  isSameAddress,
  noAccountClaims,
  type PersonLink,
  type Submission,
  submitted,
  type TransactionStores,
  timeOrderedId,
  Violations,
} from '@watchword/protocol';
import {
  attemptedAccount,
  checkDisplayName,
  checkUsername,
  newAccount,
  newAccountId,
} from './account-rules.ts';
import { invalidLink } from './mailed-links.ts';
import {
  type AnsweredPasskey,
  addFirstPasskey,
  type FirstPasskeyDependencies,
} from './passkeys/first-passkey.ts';
import { newPassword } from './passwords/new-password.ts';
import {
  type PasskeyIsSet,
  type PasswordDependencies,
  type PasswordProblem,
  problem,
  waiting,
} from './passwords/password-pages.ts';

/** What lets a person make an account. */
interface Permission extends Pick<Account, 'email' | 'emailVerified' | 'groups' | 'roles'> {
  /** It is redeemed. That of a person who signs up makes no second account with its address. */
  readonly link: PersonLink;
}

/** As they were typed. */
export function typedNames(submission: Submission): Pick<Account, 'username' | 'displayName'> {
  return {
    username: submitted(submission, 'username').trim(),
    displayName: submitted(submission, 'display_name').trim(),
  };
}

/**
 * Makes the account of the form. Resolves with its problem if a field is not right, the name is taken, or too many were: then the link stays.
 *
 * @throws OAuthError `invalid_reset_link` if the link was redeemed meanwhile, or another account has the proved address
 */
export async function makeAccount(
  submission: Submission,
  browser: Browser,
  { link, ...given }: Permission,
  deps: PasswordDependencies,
): Promise<PasswordProblem | { readonly cookies: BrowserCookies }> {
  const { clock, loginAttempts, random } = deps;
  const fields = { ...given, ...namesOf(submission) };
  const wrong = problemOf(fields);
  if (wrong !== undefined) return wrong;
  const owner = { ...noAccountClaims, ...fields, productName: deps.productName?.() };
  const password = newPassword(submission, owner);
  if (typeof password !== 'string') return password;
  const attempt = attemptOf(link, browser);
  const wait = await loginAttempts.begin(...attempt);
  if (wait > 0) return waiting(wait);
  const passwordHash = await deps.passwords.hash(password).catch(async (error) => {
    await loginAttempts.withdraw(...attempt);
    throw error;
  });
  const registration = { ...fields, adminPrincipal: false };
  const account = { ...newAccount(registration, clock.now(), random), passwordHash };
  const event = createdEvent(account, link, browser, deps);
  if (!(await deps.transact((stores) => create(account, link, event, stores)))) return taken();
  deps.audited?.(event);
  await loginAttempts.withdraw(...attempt);
  const attempted = attemptedAccount(account.username, account);
  return { cookies: { device: loginAttempts.remember(attempted, browser.device) } };
}

/** An account that is made with a passkey: its names are chosen first, because the passkey shows them. */
export type NamedAccount = Pick<Account, 'id' | 'username' | 'displayName'>;

/** The names of the form, or their problem. */
export async function nameAccount(
  submission: Submission,
  browser: Browser,
  { link, ...given }: Permission,
  { accounts, loginAttempts, random }: PasswordDependencies,
): Promise<PasswordProblem | NamedAccount> {
  const names = namesOf(submission);
  const wrong = problemOf({ ...given, ...names });
  if (wrong !== undefined) return wrong;
  const attempt = attemptOf(link, browser);
  const wait = await loginAttempts.begin(...attempt);
  if (wait > 0) return waiting(wait);
  if ((await accounts.find(names.username)) !== undefined) return taken();
  await loginAttempts.withdraw(...attempt);
  return { id: newAccountId(random), ...names };
}

/** Makes the named account with the passkey of the form. @throws OAuthError as {@link makeAccount} */
export async function makeNamedAccount(
  named: NamedAccount,
  { link, ...given }: Permission,
  { submission, state, browser }: AnsweredPasskey,
  deps: FirstPasskeyDependencies,
): Promise<PasskeyIsSet | { readonly problem: PasswordProblem } | 'taken'> {
  const { clock, random } = deps;
  const registration = { ...given, ...named, adminPrincipal: false };
  const account = { ...newAccount(registration, clock.now(), random), id: named.id };
  const event = createdEvent(account, link, browser, deps);
  const permit = (stores: TransactionStores) => create(account, link, event, stores);
  // Nobody is told of a factor with which the account begins.
  const silent = { ...deps, mail: undefined };
  const made = await addFirstPasskey(account, { submission, state, browser }, permit, silent);
  if (made === 'refused') return 'taken';
  if ('codes' in made) deps.audited?.(event);
  return made;
}

function namesOf(submission: Submission): Pick<Account, 'username' | 'displayName'> {
  const { username, displayName } = typedNames(submission);
  return { username, displayName: displayName || username };
}

/** Whether a name is taken is told to nobody who asks for one after another. */
function attemptOf({ id }: PersonLink, { source }: Browser) {
  return [`new account ${id}`, source] as const;
}

function taken(): PasswordProblem {
  return problem({ key: 'invitation.taken' });
}

function problemOf({ username, displayName, email }: Pick<Account, 'username' | 'displayName' | 'email'>) {
  const violations = new Violations();
  checkUsername(username, violations);
  if (!violations.isEmpty) return problem({ key: 'invitation.username' });
  // Applications that know people by such a name would take the account for that of the owner of the address.
  if (username.includes('@') && !isSameAddress(username, email))
    return problem({ key: 'invitation.address' });
  checkDisplayName(displayName, violations);
  return violations.isEmpty ? undefined : problem({ key: 'invitation.displayName' });
}

function createdEvent(
  account: Account,
  { id, purpose }: PersonLink,
  { source }: Browser,
  deps: PasswordDependencies,
): AuditEvent {
  const { username } = account;
  const now = deps.clock.now();
  const { passwordHash: _, revision: _r, enabledRevision: _e, ...state } = account;
  const owner = { identityProvider: accountIdentityProvider, name: username };
  return {
    id: timeOrderedId(now, deps.random),
    time: now,
    actor: owner,
    clientId: undefined,
    source,
    owner,
    action: 'create',
    recordType: 'account',
    recordId: username,
    recordName: username,
    before: undefined,
    after: { ...state, [purpose === 'invitation' ? 'invitation' : 'signUp']: id },
  };
}

/** `false` if the name is taken, in which case the link stays. @throws OAuthError `invalid_reset_link` if it was redeemed meanwhile */
async function create(
  account: Account,
  { id, purpose }: PersonLink,
  event: AuditEvent,
  { accounts, auditEvents, personLinks }: TransactionStores,
): Promise<boolean> {
  if ((await accounts.find(account.username)) !== undefined) return false;
  const isTaken = purpose === 'sign_up' && (await accounts.listByEmail(account.email, 1)).length > 0;
  if (isTaken || !(await personLinks.redeem(id, event.time))) throw invalidLink(purpose);
  if (!(await accounts.create(account))) throw invalidLink(purpose);
  await auditEvents.append([event]);
  return true;
}
