import type { Account, Browser, BrowserCookies, Submission } from '@watchword/protocol';
import type { PasswordProblem } from '../passwords/password-pages.ts';

/** A page on which the user of a local account changes its e-mail address. */
export interface AddressView {
  /**
   * - `ask`: takes the new address, and the current password
   * - `sent`: takes the code of the mail
   * - `confirm`: asks whether the link of the mail is to be used
   */
  readonly step: 'ask' | 'sent' | 'confirm';
  /** Not of `sent`. */
  readonly account?: Pick<Account, 'displayName' | 'passwordHash'>;
  /** Of `ask`: the user has no password, and has to log in once more before that. */
  readonly mustLogIn?: boolean;
  /** The new one, as far as the user has typed it; of `confirm` always. */
  readonly address?: string;
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** The page comes again, because it had been open for too long, or was of another login. Nothing is done. */
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem;
}

export interface AddressIsChanged {
  readonly cookies: BrowserCookies;
}

/** The pages on which users of local accounts change their e-mail addresses. */
export interface AddressEndpoint {
  /** `undefined` when no user is logged in. @throws OAuthError `access_denied` for a user of another identity provider */
  show(browser: Browser): Promise<AddressView | undefined>;
  /**
   * Mails a link to `address` if `password` is the current one, or a user without one has logged in just now. No other account is looked at: several can have one address. `undefined`,
   * and nothing is done, when no user is logged in.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `access_denied`, `temporarily_unavailable`
   */
  ask(submission: Submission, browser: Browser): Promise<AddressView | undefined>;
  /**
   * Changes the address if `code` is that of the mail; otherwise the page again.
   *
   * @throws OAuthError as {@link confirm}
   */
  enterCode(submission: Submission, browser: Browser): Promise<AddressView | AddressIsChanged>;
  /** The page of a mailed link, which stays valid. @throws OAuthError `invalid_reset_link` */
  showLink(value: string, browser: Browser): Promise<AddressView>;
  /**
   * Changes the address, which is verified then. All sessions and grants end, so that nobody learns the former address any more; the session of
   * this browser goes on under a new id. Other mailed links of the account end. The former address is told.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link`
   */
  confirm(submission: Submission, browser: Browser): Promise<AddressView | AddressIsChanged>;
}
