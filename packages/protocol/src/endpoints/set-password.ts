import { AuthStates } from '../authorize/auth-state.ts';
import type { Browser } from '../authorize/browser.ts';
import type { Account } from '../model/account.ts';
import { OAuthError } from '../model/errors.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { newPassword } from './new-password.ts';
import { passwordEvent } from './password-event.ts';
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
      // An attempt is counted for this link and this address, so that a guesser cannot keep other users from their links.
      const counted = [`reset link ${presented.id}`, browser.source] as const;
      const wait = await loginAttempts.begin(...counted);
      if (wait > 0) throw new OAuthError('too_many_requests', { retryAfter: Math.ceil(wait / 1000) });
      const digest = presented.verifierHash;
      const account = valid(await accounts.findByResetLink(digest), clock.now());
      await loginAttempts.withdraw(...counted);
      return shown(account, digest, browser);
    },

    async reset(submission, browser) {
      const { resetLink = '' } = await authStates.open('reset', submission, browser);
      const digest = Buffer.from(resetLink, 'base64url');
      const before = valid(await accounts.findByResetLink(digest), clock.now());
      const password = newPassword(submission);
      if (typeof password !== 'string') return { ...shown(before, digest, browser), problem: password };
      const passwordHash = await passwords.hash(password);
      const event = await transact(async (stores) => {
        const { username } = valid(await stores.accounts.findByResetLink(digest), clock.now());
        const change = { passwordHash, resetLink: undefined };
        await stores.accounts.update(username, change, clock.now());
        const event = passwordEvent(username, browser, deps);
        await stores.auditEvents.append([event]);
        return event;
      });
      deps.audited?.(event);
      return { cookies: {} };
    },
  };
}

/** @throws OAuthError `invalid_reset_link` */
function valid(account: Account | undefined, now: number): Account {
  const expires = account?.resetLink?.expires ?? 0;
  if (account === undefined || account.disabled || expires <= now) throw new OAuthError('invalid_reset_link');
  return account;
}
