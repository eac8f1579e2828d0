import {
  type Account,
  AuthStates,
  type Browser,
  type CredentialStore,
  OAuthError,
  type Submission,
  submitted,
  type TransactionStores,
} from '@watchword/protocol';
import { ownerOfAccount } from '../account-rules.ts';
import { hasSecondFactor } from '../factors/second-factor.ts';
import type { FirstPasskeyView, PasskeyIsSet } from '../passwords/password-pages.ts';
import { isValid, passkeyLinkDigest, valid } from '../passwords/reset-link.ts';
import { addFirstPasskey, type FirstPasskeyDependencies, firstPasskeyPage } from './first-passkey.ts';

/** The page of a reset link that asks for a passkey. It skips no factor: where the person has one, the link is of no use. */
export function passkeyLink(deps: FirstPasskeyDependencies) {
  const { accounts, clock, credentials } = deps;

  const canBegin = async (
    account: Account,
    from: { readonly credentials: Pick<CredentialStore, 'listBySubject'> } = { credentials },
  ) => !hasSecondFactor(await from.credentials.listBySubject(ownerOfAccount(account, deps).subject));

  const page = (
    account: Account,
    resetLink: string,
    browser: Browser,
    more: Parameters<typeof firstPasskeyPage>[5] = {},
  ) => firstPasskeyPage(account, 'resetPasskey', { resetLink }, browser, deps, more);

  /** Redeems the link. */
  const permit = async (digest: Uint8Array, stores: TransactionStores): Promise<boolean> => {
    const now = clock.now();
    const account = valid(await stores.accounts.findByResetLink(digest), now);
    if (!(await canBegin(account, stores))) return false;
    await stores.accounts.update(account.username, { resetLink: undefined }, now);
    return true;
  };

  return {
    /** `undefined` for another link. */
    async show(verifierHash: Uint8Array, browser: Browser): Promise<FirstPasskeyView | undefined> {
      const digest = passkeyLinkDigest(verifierHash);
      const account = await accounts.findByResetLink(digest);
      if (!isValid(account, clock.now()) || !(await canBegin(account))) return undefined;
      return page(account, Buffer.from(digest).toString('base64url'), browser);
    },

    /** @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link` */
    async add(submission: Submission, browser: Browser): Promise<FirstPasskeyView | PasskeyIsSet> {
      const { state, isLate } = await new AuthStates(deps).openLate('resetPasskey', submission, browser);
      const { resetLink = '', moduleState } = state;
      const digest = Buffer.from(resetLink, 'base64url');
      const account = valid(await accounts.findByResetLink(digest), clock.now());
      const name = submitted(submission, 'name');
      if (isLate) return page(account, resetLink, browser, { name, isLate });
      const answered = { submission, state: moduleState, browser };
      const added = await addFirstPasskey(account, answered, (stores) => permit(digest, stores), deps);
      if (added === 'refused') throw new OAuthError('invalid_reset_link');
      return 'problem' in added ? page(account, resetLink, browser, { name, ...added }) : added;
    },
  };
}
