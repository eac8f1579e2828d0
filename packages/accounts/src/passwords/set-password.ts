import {
  type Account,
  AuthStates,
  type Browser,
  createBearerValue,
  OAuthError,
  parseBearerValue,
  type Random,
  type StoredResetLink,
} from '@watchword/protocol';
import { attemptedAccount } from '../account-rules.ts';
import { newPassword, passwordEvent } from './new-password.ts';
import type { PasswordDependencies, PasswordEndpoint, PasswordView } from './password-pages.ts';

/** The page of a reset link. */
export function setPassword(deps: PasswordDependencies): Pick<PasswordEndpoint, 'showReset' | 'reset'> {
  const { accounts, clock, loginAttempts, passwords, transact } = deps;
  const authStates = new AuthStates(deps);
  const shown = (account: Account, digest: Uint8Array, browser: Browser): PasswordView => {
    const binding = authStates.bindingOf(browser);
    const resetLink = Buffer.from(digest).toString('base64url');
    const authState = authStates.seal('reset', { resetLink }, binding);
    return { account, authState, cookies: binding === browser.binding ? {} : { binding } };
  };

  return {
    async showReset(link, browser) {
      const presented = parseBearerValue('reset', link);
      if (presented === undefined) throw new OAuthError('invalid_reset_link');
      const digest = presented.verifierHash;
      const account = await accounts.findByResetLink(digest);
      // Only failures are counted: a guesser at the same address must not keep users from their links of 256 random bits.
      if (isValid(account, clock.now())) return shown(account, digest, browser);
      const wait = await loginAttempts.begin(`reset link ${presented.id}`, browser.source);
      if (wait > 0) throw new OAuthError('too_many_requests', { retryAfter: Math.ceil(wait / 1000) });
      throw new OAuthError('invalid_reset_link');
    },

    async reset(submission, browser) {
      const { state, isLate } = await authStates.openLate('reset', submission, browser);
      const { resetLink = '' } = state;
      const digest = Buffer.from(resetLink, 'base64url');
      const before = valid(await accounts.findByResetLink(digest), clock.now());
      if (isLate) return { ...shown(before, digest, browser), isLate };
      const password = newPassword(submission, { ...before, productName: deps.productName?.() });
      if (typeof password !== 'string') return { ...shown(before, digest, browser), problem: password };
      const passwordHash = await passwords.hash(password);
      const { event, account } = await transact(async (stores) => {
        const account = valid(await stores.accounts.findByResetLink(digest), clock.now());
        const { username } = account;
        const change = { passwordHash, resetLink: undefined };
        await stores.accounts.update(username, change, clock.now());
        const event = passwordEvent(username, browser, deps);
        await stores.auditEvents.append([event]);
        return { event, account: { ...account, passwordHash } };
      });
      deps.audited?.(event);
      // The link has proved the owner, whose first login with the new password waits for no guesser.
      const attempted = attemptedAccount(account.username, account);
      return { cookies: { device: loginAttempts.remember(attempted, browser.device) } };
    },
  };
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
