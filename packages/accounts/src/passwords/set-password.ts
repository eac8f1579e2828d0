import {
  type Account,
  type AuthState,
  AuthStates,
  type Browser,
  createBearerValue,
  isSameAddress,
  OAuthError,
  type PersonLink,
  parseBearerValue,
  type Random,
  type StoredResetLink,
  type TransactionStores,
} from '@watchword/protocol';
import { attemptedAccount } from '../account-rules.ts';
import { invalidLink, MailedLinks, type OpenedLink, refuseLink } from '../mailed-links.ts';
import { leastCharactersOf, mailNewPassword, newPasswordOf, passwordEvent } from './new-password.ts';
import type { PasswordDependencies, PasswordEndpoint, PasswordView } from './password-pages.ts';

/** What lets a person set the password of an account: the link of an administrator, or one that was mailed to the account. */
interface Permission {
  readonly account: Account;
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
  return shown(mailedAccount(await accountOfLink(link, deps), link), { personLink: link.id }, browser, deps);
}

/** The page of a reset link. */
export function setPassword(deps: PasswordDependencies): Pick<PasswordEndpoint, 'showReset' | 'reset'> {
  const { accounts, clock, loginAttempts, passwords, transact } = deps;
  const authStates = new AuthStates(deps);
  const links = resetLinks(deps);

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
        return shown(account, { resetLink: Buffer.from(digest).toString('base64url') }, browser, deps);
      }
      const error = made && new OAuthError('invalid_reset_link');
      return refuseLink(`reset link ${presented.id}`, browser, deps, error);
    },

    async reset(submission, browser) {
      const { state, isLate } = await authStates.openLate('reset', submission, browser);
      const permission = await permitted(state, browser, deps);
      const { account: before, goOn } = permission;
      const of = { resetLink: state.resetLink, personLink: state.personLink };
      if (isLate) return { ...(await shown(before, of, browser, deps)), isLate };
      const password = await newPasswordOf(before, submission, deps);
      if (typeof password !== 'string')
        return { ...(await shown(before, of, browser, deps)), problem: password };
      const passwordHash = await passwords.hash(password);
      const { event, account } = await transact(async (stores) => {
        const account = await redeemed(permission, state, stores, clock.now());
        const { username } = account;
        const proved = permission.link === undefined ? {} : { emailVerified: true };
        await stores.accounts.update(
          username,
          { passwordHash, resetLink: undefined, ...proved },
          clock.now(),
        );
        await mailNewPassword(account, browser, deps, stores);
        const event = passwordEvent(username, browser, deps);
        await stores.auditEvents.append([event]);
        return { event, account: { ...account, passwordHash } };
      });
      deps.audited?.(event);
      // The link has proved the owner, whose first login with the new password waits for no guesser.
      const attempted = attemptedAccount(account.username, account);
      const device = loginAttempts.remember(attempted, browser.device);
      return { cookies: { device }, ...(goOn !== undefined && { goOn }) };
    },
  };
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
  return { account: mailedAccount(await accountOfLink(link, deps), link), link, goOn: data.goOn };
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
  account: Account,
  state: Partial<Pick<AuthState, 'resetLink' | 'personLink'>>,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<PasswordView> {
  const leastCharacters = await leastCharactersOf(account, deps);
  return { account, leastCharacters, ...new AuthStates(deps).sealPage('reset', state, browser) };
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

/** @throws OAuthError `invalid_reset_link` */
function valid(account: Account | undefined, now: number): Account {
  if (!isValid(account, now)) throw new OAuthError('invalid_reset_link');
  return account;
}

function isValid(account: Account | undefined, now: number): account is Account {
  return account !== undefined && !account.disabled && (account.resetLink?.expires ?? 0) > now;
}

const oneHour = 3_600_000;

/** A reset link, and what is stored of it. */
interface NewResetLink {
  /** The part of the link that proves the right to set the password. It is shown once and never stored. */
  readonly value: string;
  readonly stored: StoredResetLink;
}

/** Makes a reset link that is valid for an hour. */
export function newResetLink(now: number, random: Random): NewResetLink {
  const { value, verifierHash } = createBearerValue('reset', now, random);
  return { value, stored: { digest: verifierHash, expires: now + oneHour } };
}
