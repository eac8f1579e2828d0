import {
  type Account,
  type AuthState,
  AuthStates,
  type Browser,
  isSameAddress,
  OAuthError,
  type PersonLink,
  parseBearerValue,
  type Submission,
  type TransactionStores,
} from '@watchword/protocol';
import { attemptedAccount } from '../account-rules.ts';
import { invalidLink, MailedLinks, type OpenedLink, refuseLink } from '../mailed-links.ts';
import type { FirstPasskeyDependencies } from '../passkeys/first-passkey.ts';
import { passkeyLink } from '../passkeys/passkey-link.ts';
import { needsOfMailedPassword, typedCode } from './mailed-password.ts';
import { leastCharactersOf, mailNewPassword, newPasswordOf, passwordEvent } from './new-password.ts';
import type {
  PasswordDependencies,
  PasswordEndpoint,
  PasswordIsSet,
  PasswordView,
} from './password-pages.ts';
import { isValid, valid } from './reset-link.ts';

/** What lets a person set the password of an account: the link of an administrator, or one that was mailed to the account. */
interface Permission {
  readonly account: Account;
  /** A recovery code must be typed too. */
  readonly asksCode?: boolean;
  /** The mailed link. */
  readonly link?: PersonLink;
  /** The sealed request of the login that goes on afterwards. */
  readonly goOn?: string | undefined;
}

/** What a mailed link has with it. */
interface ResetData {
  /** The sealed request of the login that goes on afterwards. */
  readonly goOn?: string;
}

/** The mailed links with which people who have forgotten a password set another one. */
export function resetLinks(deps: PasswordDependencies): MailedLinks<ResetData> {
  return new MailedLinks(deps, 'reset_password');
}

/** The page for a new password. @throws OAuthError `invalid_reset_link` if the account has changed */
export async function shownForLink(
  { link }: Pick<OpenedLink<ResetData>, 'link'>,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<PasswordView> {
  const permission = await permittedByMail(link, deps);
  return shown(permission, { personLink: link.id }, browser, deps);
}

/** The page of a reset link. */
export function setPassword(deps: FirstPasskeyDependencies): Pick<PasswordEndpoint, 'showReset' | 'reset'> {
  const { accounts, clock } = deps;
  const links = resetLinks(deps);
  const byPasskey = passkeyLink(deps);

  return {
    async showReset(value, browser) {
      const made = parseBearerValue('reset', value);
      const presented = made ?? parseBearerValue('link', value);
      if (presented === undefined) throw new OAuthError('invalid_reset_link');
      const mailed = await links.open(value, browser);
      if (mailed !== undefined) return shownForLink(mailed, browser, deps);
      const digest = presented.verifierHash;
      const account = await accounts.findByResetLink(digest);
      if (isValid(account, clock.now())) {
        return shown({ account }, { resetLink: Buffer.from(digest).toString('base64url') }, browser, deps);
      }
      const ofPasskey = await byPasskey.show(digest, browser);
      if (ofPasskey !== undefined) return ofPasskey;
      const error = made && new OAuthError('invalid_reset_link');
      return refuseLink(`reset link ${presented.id}`, browser, deps, error);
    },

    reset: (submission, browser) =>
      submission.has('passkey')
        ? byPasskey.add(submission, browser)
        : resetPassword(submission, browser, deps),
  };
}

async function resetPassword(
  submission: Submission,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<PasswordView | PasswordIsSet> {
  const { clock, loginAttempts, passwords, transact } = deps;
  const { state, isLate } = await new AuthStates(deps).openLate('reset', submission, browser);
  const permission = await permitted(state, browser, deps);
  const { account: before, asksCode = false, goOn } = permission;
  const of = { resetLink: state.resetLink, personLink: state.personLink };
  const again = async (more: Pick<PasswordView, 'isLate' | 'problem'>) => ({
    ...(await shown(permission, of, browser, deps)),
    ...more,
  });
  if (isLate) return again({ isLate });
  const password = await newPasswordOf(before, submission, deps);
  if (typeof password !== 'string') return again({ problem: password });
  const code = asksCode ? await typedCode(before, submission, browser, deps) : undefined;
  if (code !== undefined && 'message' in code) return again({ problem: code });
  const passwordHash = await passwords.hash(password);
  const { events, account } = await transact(async (stores) => {
    const account = await redeemed(permission, state, stores, clock.now());
    const used = await code?.use(stores);
    if (code !== undefined && used === undefined) throw invalidLink('reset_password');
    const { username } = account;
    const proved = permission.link === undefined ? {} : { emailVerified: true };
    const change = { passwordHash, resetLink: undefined, ...proved };
    await stores.accounts.update(username, change, clock.now());
    await mailNewPassword(account, browser, deps, stores);
    const event = passwordEvent(username, browser, deps);
    await stores.auditEvents.append([event]);
    return { events: [event, ...(used ? [used] : [])], account: { ...account, passwordHash } };
  });
  for (const event of events) deps.audited?.(event);
  await code?.succeed();
  // The link has proved the owner, whose first login with the new password waits for no guesser.
  const device = loginAttempts.remember(attemptedAccount(account.username, account), browser.device);
  return { cookies: { device }, ...(goOn !== undefined && { goOn }) };
}

/** @throws OAuthError `invalid_reset_link` */
async function permitted(
  { personLink, resetLink = '' }: AuthState,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<Permission> {
  if (personLink === undefined) {
    const account = await deps.accounts.findByResetLink(Buffer.from(resetLink, 'base64url'));
    return { account: valid(account, deps.clock.now()) };
  }
  const opened = await resetLinks(deps).ofPage(personLink, browser);
  if (opened === undefined) throw invalidLink('reset_password');
  const { link, data } = opened;
  return { ...(await permittedByMail(link, deps)), link, goOn: data.goOn };
}

/** @throws OAuthError `invalid_reset_link`, also for an account that gets no password by mail */
async function permittedByMail(
  link: PersonLink,
  deps: PasswordDependencies,
): Promise<Pick<Permission, 'account' | 'asksCode'>> {
  const account = mailedAccount(await accountOfLink(link, deps), link);
  const needs = await needsOfMailedPassword(account, deps);
  if (needs === 'never') throw new OAuthError('invalid_reset_link', { text: { key: 'error.no_password' } });
  return { account, asksCode: needs === 'code' };
}

/** The account, of which nobody else redeems the link. @throws OAuthError `invalid_reset_link` */
async function redeemed(
  { link }: Permission,
  { resetLink = '' }: AuthState,
  stores: TransactionStores,
  now: number,
): Promise<Account> {
  if (link === undefined) {
    return valid(await stores.accounts.findByResetLink(Buffer.from(resetLink, 'base64url')), now);
  }
  if (!(await stores.personLinks.redeem(link.id, now))) throw invalidLink('reset_password');
  return mailedAccount(await accountOfLink(link, stores), link);
}

async function shown(
  { account, asksCode = false }: Pick<Permission, 'account' | 'asksCode'>,
  state: Partial<Pick<AuthState, 'resetLink' | 'personLink'>>,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<PasswordView> {
  const leastCharacters = await leastCharactersOf(account, deps);
  return { account, leastCharacters, asksCode, ...new AuthStates(deps).sealPage('reset', state, browser) };
}

async function accountOfLink(
  { accountId }: PersonLink,
  { accounts }: Pick<PasswordDependencies, 'accounts'>,
): Promise<Account | undefined> {
  return accountId === undefined ? undefined : accounts.findById(accountId);
}

/** The account still has the address to which the link was mailed. @throws OAuthError `invalid_reset_link` */
function mailedAccount(account: Account | undefined, { address }: PersonLink): Account {
  if (account === undefined || account.disabled || !isSameAddress(account.email, address)) {
    throw invalidLink('reset_password');
  }
  return account;
}
