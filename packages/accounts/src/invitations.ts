import {
  type Account,
  type AuditEvent,
  AuthStates,
  accountIdentityProvider,
  type Browser,
  type BrowserCookies,
  createBearerValue,
  isSameDigest,
  type Message,
  noAccountClaims,
  OAuthError,
  type PersonLink,
  parseBearerValue,
  type Random,
  type Submission,
  submitted,
  timeOrderedId,
  Violations,
} from '@watchword/protocol';
import { attemptedAccount, checkDisplayName, checkUsername, newAccount } from './account-rules.ts';
import { newPassword } from './passwords/new-password.ts';
import type { PasswordDependencies, PasswordProblem } from './passwords/password-pages.ts';

/** What the account of an invited person has from the beginning. */
export interface Invitation {
  /** E-mail address of the person; empty if it is not known. */
  readonly email: string;
  /** The link went to the address, and to nobody else: who has it reads the mail of this address. */
  readonly mailed: boolean;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** For administrators. */
  readonly note: string;
  /** The name of the administrator who invited, or of the user of the command line. */
  readonly invitedBy: string;
}

/** @returns `value`: the part of the link that proves the invitation. It is shown once and never stored */
export function newInvitation(
  invitation: Invitation,
  times: { readonly now: number; readonly expires: number },
  random: Random,
): { readonly value: string; readonly stored: PersonLink } {
  const { value, id, verifierHash } = createBearerValue('link', times.now, random);
  const stored: PersonLink = {
    id,
    purpose: 'invitation',
    digest: verifierHash,
    address: invitation.email,
    data: JSON.stringify(invitation),
    creationDate: times.now,
    expires: times.expires,
  };
  return { value, stored };
}

export function invitationOf({ data }: PersonLink): Invitation {
  return JSON.parse(data);
}

/** The page on which an invited person makes an account. */
export interface InvitationView {
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** As they were typed. */
  readonly username: string;
  readonly displayName: string;
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem | undefined;
}

export interface InvitationEndpoint {
  /**
   * The link stays valid, because link scanners open it too.
   *
   * @throws OAuthError `invalid_reset_link`, `too_many_requests`
   */
  show(link: string, browser: Browser): Promise<InvitationView>;
  /**
   * Makes the account `username` with `display_name` and `new_password`, which `new_password_again` repeats. The invitation is redeemed.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link`, `temporarily_unavailable`
   */
  accept(
    submission: Submission,
    browser: Browser,
  ): Promise<InvitationView | { readonly cookies: BrowserCookies }>;
}

export function invitationEndpoint(deps: PasswordDependencies): InvitationEndpoint {
  const { clock, loginAttempts, personLinks } = deps;
  const authStates = new AuthStates(deps);
  const shown = (id: string, browser: Browser, more: Partial<InvitationView> = {}): InvitationView => {
    const binding = authStates.bindingOf(browser);
    const authState = authStates.seal('invitation', { personLink: id }, binding);
    const cookies = binding === browser.binding ? {} : { binding };
    return { authState, cookies, username: '', displayName: '', ...more };
  };

  return {
    async show(value, browser) {
      const presented = parseBearerValue('link', value);
      if (presented === undefined) throw new OAuthError('invalid_reset_link');
      const link = await personLinks.find(presented.id, clock.now());
      const isRight = link !== undefined && isSameDigest(link.digest, presented.verifierHash);
      if (isRight && link.purpose === 'invitation') return shown(link.id, browser);
      // Only failures are counted, as for a reset link.
      const wait = await loginAttempts.begin(`invitation ${presented.id}`, browser.source);
      if (wait > 0) throw new OAuthError('too_many_requests', { retryAfter: Math.ceil(wait / 1000) });
      throw new OAuthError('invalid_reset_link');
    },

    async accept(submission, browser) {
      const { state, isLate } = await authStates.openLate('invitation', submission, browser);
      const link = await personLinks.find(state.personLink ?? '', clock.now());
      if (link === undefined) throw new OAuthError('invalid_reset_link');
      const typed = typedNames(submission);
      if (isLate) return shown(link.id, browser, { ...typed, isLate });
      const { email, groups, roles, mailed: emailVerified } = invitationOf(link);
      const permission = { link, email, emailVerified, groups, roles };
      const made = await makeAccount(submission, browser, permission, deps);
      return 'cookies' in made ? made : shown(link.id, browser, { ...typed, problem: made });
    },
  };
}

/** What lets a person make an account. */
interface Permission extends Pick<Account, 'email' | 'emailVerified' | 'groups' | 'roles'> {
  /** It is redeemed. That of a person who signs up makes no second account with its address. */
  readonly link: PersonLink;
}

/** As they were typed. */
export function typedNames(submission: Submission): Pick<InvitationView, 'username' | 'displayName'> {
  return {
    username: submitted(submission, 'username').trim(),
    displayName: submitted(submission, 'display_name').trim(),
  };
}

/**
 * Makes the account of the form. Resolves with its problem if a field is not right or the name is taken: then the link stays.
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
  const passwordHash = await deps.passwords.hash(password);
  const registration = { ...fields, adminPrincipal: false };
  const account = { ...newAccount(registration, clock.now(), random), passwordHash };
  if (!(await create(account, link, browser, deps))) return taken;
  return { cookies: { device: loginAttempts.remember(attemptedAccount(username, account), browser.device) } };
}

const taken: PasswordProblem = { message: { key: 'invitation.taken' }, status: 400 };

function problemOf({ username, displayName }: Pick<Account, 'username' | 'displayName'>) {
  const violations = new Violations();
  checkUsername(username, violations);
  if (!violations.isEmpty) return problem({ key: 'invitation.username' });
  checkDisplayName(displayName, violations);
  return violations.isEmpty ? undefined : problem({ key: 'invitation.displayName' });
}

function problem(message: Message): PasswordProblem {
  return { message, status: 400 };
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
    if (isTaken || !(await personLinks.redeem(id, now))) throw new OAuthError('invalid_reset_link');
    if (!(await accounts.create(account))) throw new OAuthError('invalid_reset_link');
    await auditEvents.append([event]);
    return true;
  });
  if (isCreated) deps.audited?.(event);
  return isCreated;
}
