import type {
  Account,
  AccountStore,
  AuditEvent,
  Authenticators,
  AuthStateDependencies,
  Browser,
  BrowserCookies,
  LoginAttempts,
  LoginSessions,
  Message,
  Passwords,
  Submission,
  Transact,
} from '@watchword/protocol';

export interface PasswordDependencies extends AuthStateDependencies {
  readonly accounts: AccountStore;
  readonly transact: Transact;
  readonly sessions: LoginSessions;
  readonly authenticators: Authenticators;
  readonly passwords: Passwords;
  /** Those of the login with a local account: guesses at both places are counted together. */
  readonly loginAttempts: LoginAttempts;
  /** The name that pages show for the product now. No password is made of it. */
  readonly productName?: () => string;
  /** Called with the audit event of a new password once it is durable. */
  readonly audited?: (event: AuditEvent) => void;
}

/** A page on which the user of a local account types a new password. */
export interface PasswordView {
  readonly account: Pick<Account, 'username' | 'displayName'>;
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** Whether the box is ticked that also ends all grants; absent with a reset link, which always ends them. */
  readonly endsGrants?: boolean;
  /** The page comes again, because it had been open for too long, or was of another login. Nothing is done. */
  readonly isLate?: boolean;
  /** Why the submitted form was not accepted; absent when the page is opened. */
  readonly problem?: PasswordProblem;
}

export interface PasswordProblem {
  readonly message: Message;
  readonly status: 400 | 403 | 429;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The password is set. */
export interface PasswordIsSet {
  readonly cookies: BrowserCookies;
  /** Whether the user ended all grants too; absent with a reset link. */
  readonly endedGrants?: boolean;
}

/** The pages on which users of local accounts set their passwords. */
export interface PasswordEndpoint {
  /**
   * The page of a reset link. The link stays valid, because link scanners open it too.
   *
   * @throws OAuthError `invalid_reset_link`, `too_many_requests`
   */
  showReset(link: string, browser: Browser): Promise<PasswordView>;
  /**
   * Sets `new_password`, which `new_password_again` repeats. The link is redeemed and all sessions and grants end.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link`, `temporarily_unavailable`
   */
  reset(submission: Submission, browser: Browser): Promise<PasswordView | PasswordIsSet>;
  /** `undefined` when no user is logged in. @throws OAuthError `access_denied` for a user of another identity provider */
  showChange(browser: Browser): Promise<PasswordView | undefined>;
  /**
   * Sets `new_password` if `password` is the current one. This session goes on under a new id, and all others of the user
   * end. With `end_grants` its grants end too; otherwise they stay. `undefined`, and nothing is done, when no user is logged in.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `access_denied`, `temporarily_unavailable`
   */
  change(submission: Submission, browser: Browser): Promise<PasswordView | PasswordIsSet | undefined>;
}
