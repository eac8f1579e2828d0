import type { Browser, BrowserCookies, ResourceOwner, Submission } from '@watchword/protocol';
import type { PasswordProblem } from '../passwords/password-pages.ts';

/** The page on which people delete their account, or what the server stores of them. */
export interface DeletionView {
  readonly owner: ResourceOwner;
  /** Whether it is a local account. Other people have an account elsewhere, which stays. */
  readonly isLocal: boolean;
  /** Whether the form asks for the password: there is one here. */
  readonly asksPassword: boolean;
  /** What has to happen first; absent: the form is shown, with the password of a local account. */
  readonly obstacle?: DeletionObstacle | undefined;
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** The page comes again, because it had been open for too long, or was of another login. Nothing is done. */
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem | undefined;
}

/**
 * - `administrator`: it is the last account with which an administrator can log in
 * - `records`: resource servers belong to the person, and would belong to the next one of the name
 * - `login`: the login of a person without a password here is not new. Who has a local account logs in once more, with a passkey for example
 */
export type DeletionObstacle = 'administrator' | 'records' | 'login';

export interface Deleted {
  readonly isLocal: boolean;
  readonly cookies: BrowserCookies;
}

export interface DeletionEndpoint {
  /** `undefined` when no user is logged in. */
  show(browser: Browser): Promise<DeletionView | undefined>;
  /**
   * Deletes the account, if the submitted `password` is right; what the server stores of a person of another identity provider, if the login is
   * new. All sessions and grants end. `undefined`, and nothing is done, when no user is logged in.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `temporarily_unavailable`
   */
  delete(submission: Submission, browser: Browser): Promise<DeletionView | Deleted | undefined>;
}
