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
  timeOrderedId,
  Violations,
} from '@watchword/protocol';
import { attemptedAccount, checkDisplayName, checkUsername, newAccount } from './account-rules.ts';
import { invalidLink } from './mailed-links.ts';
import { newPassword } from './passwords/new-password.ts';
import {
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
  const { username, displayName } = typedNames(submission);
  const fields = { ...given, username, displayName: displayName || username };
  const wrong = problemOf(fields);
  if (wrong !== undefined) return wrong;
  const owner = { ...noAccountClaims, ...fields, productName: deps.productName?.() };
  const password = newPassword(submission, owner);
  if (typeof password !== 'string') return password;
  // Whether a name is taken is told to nobody who asks for one after another.
  const attempt = [`new account ${link.id}`, browser.source] as const;
  const wait = await loginAttempts.begin(...attempt);
  if (wait > 0) return waiting(wait);
  const passwordHash = await deps.passwords.hash(password).catch(async (error) => {
    await loginAttempts.withdraw(...attempt);
    throw error;
  });
  const registration = { ...fields, adminPrincipal: false };
  const account = { ...newAccount(registration, clock.now(), random), passwordHash };
  if (!(await create(account, link, browser, deps))) return problem({ key: 'invitation.taken' });
  await loginAttempts.withdraw(...attempt);
  return { cookies: { device: loginAttempts.remember(attemptedAccount(username, account), browser.device) } };
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

/** `false` if the name is taken, in which case the invitation stays. @throws OAuthError `invalid_reset_link` if it was redeemed meanwhile */
async function create(
  account: Account,
  { id, purpose }: PersonLink,
  { source }: Browser,
  deps: PasswordDependencies,
): Promise<boolean> {
  const { username } = account;
  const now = deps.clock.now();
  const { passwordHash: _, revision: _r, enabledRevision: _e, ...state } = account;
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const event: AuditEvent = {
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
  const isCreated = await deps.transact(async ({ accounts, auditEvents, personLinks }) => {
    if ((await accounts.find(username)) !== undefined) return false;
    const isTaken = purpose === 'sign_up' && (await accounts.listByEmail(account.email, 1)).length > 0;
    if (isTaken || !(await personLinks.redeem(id, now))) throw invalidLink(purpose);
    if (!(await accounts.create(account))) throw invalidLink(purpose);
    await auditEvents.append([event]);
    return true;
  });
  if (isCreated) deps.audited?.(event);
  return isCreated;
}
