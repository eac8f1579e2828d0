import type { CreationOptions } from '@watchword/passkeys';
import type {
  Account,
  AccountLinkStore,
  AccountStore,
  AuditEvent,
  Authenticators,
  AuthStateDependencies,
  Browser,
  BrowserCookies,
  CredentialStore,
  LoginAttempts,
  LoginSessions,
  Message,
  Passwords,
  PersonLinkStore,
  SendMail,
  Submission,
  Transact,
} from '@watchword/protocol';

/** How often mails can be asked for. Who asks too often keeps nobody else from a mail. */
export interface MailLimits {
  /**
   * Counts a request from a network address for what was typed. Resolves with 0, or with the milliseconds to wait: it depends on what
   * was typed alone, so it tells nothing of accounts.
   */
  wait(typed: string, source: string): Promise<number>;
  /**
   * Counts a mail to an account, or what was typed if it names none, which takes the same time. `false`: nobody gets a mail, and whoever asks
   * is not told. A known device of the owner has a count of its own, and a known network is not kept from mails by others.
   */
  allows(account: Account | string, browser: Browser): Promise<boolean>;
  /**
   * Counts a mail that tells of a login from a network address. `false`: the owner was told of several from that network. Logins from other
   * networks, and to other accounts, keep nobody from it.
   */
  tells(account: Account, source: string): Promise<boolean>;
}

/** How mails reach people. */
export interface MailDependencies {
  readonly send: SendMail;
  readonly limits: MailLimits;
  /** Whether a mail can be sent to the address. */
  isAddress(text: string): boolean;
}

export interface PasswordDependencies extends AuthStateDependencies {
  readonly credentials: Pick<CredentialStore, 'listBySubject'>;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  readonly personLinks: PersonLinkStore;
  /** Absent if no mail is set up: then nobody is told, and no link is mailed. */
  readonly mail?: MailDependencies | undefined;
  readonly accounts: AccountStore;
  readonly accountLinks: Pick<AccountLinkStore, 'listOfAccount'>;
  /** Limits guesses at recovery codes. Absent: an account without a password gets none by mail. */
  readonly recoveryAttempts?: LoginAttempts | undefined;
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
  /** Of the new password: fewer beside a second factor. */
  readonly leastCharacters: number;
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** Whether the box is ticked that also ends all grants; absent with a reset link, which always ends them. */
  readonly endsGrants?: boolean;
  /** The account has no password yet: the form asks for none, and nothing ends. */
  readonly isFirst?: boolean;
  /** The form asks for a recovery code too: the account has no password, and another way to log in. */
  readonly asksCode?: boolean;
  /** Then the user has to log in once more before that. */
  readonly mustLogIn?: boolean;
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

export function problem(message: Message): PasswordProblem {
  return { message, status: 400 };
}

/** @param wait milliseconds */
export function waiting(wait: number): PasswordProblem {
  const seconds = Math.ceil(wait / 1000);
  return {
    message: { key: 'login.wait', values: { seconds: String(seconds) } },
    status: 429,
    retryAfter: seconds,
  };
}

/** The password is set. */
export interface PasswordIsSet {
  readonly cookies: BrowserCookies;
  /** Whether the user ended all grants too; absent with a reset link. */
  readonly endedGrants?: boolean;
  /** It is the first password of the account. */
  readonly isFirst?: boolean;
  /** The `auth_state` with which `startAgain` goes on with the login in which the password was missing. */
  readonly goOn?: string;
}

/** On which a person who has nothing else to log in with adds a passkey. */
export interface FirstPasskeyView {
  readonly options: CreationOptions;
  /** Of the passkey: as it was typed, or the device. */
  readonly name: string;
  readonly authState: string;
  readonly cookies: BrowserCookies;
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem | undefined;
}

/** The account can be logged in to with the passkey. */
export interface PasskeyIsSet {
  readonly username: string;
  /** Recovery codes, which are shown once. */
  readonly codes: readonly string[];
  readonly cookies: BrowserCookies;
}

/** The pages on which users of local accounts set their passwords. */
export interface PasswordEndpoint {
  /**
   * The page of a reset link: for a new password, or for a passkey where the link asks for one. The link stays valid, because link scanners
   * open it too.
   *
   * @throws OAuthError `invalid_reset_link`, `too_many_requests`
   */
  showReset(link: string, browser: Browser): Promise<PasswordView | FirstPasskeyView>;
  /**
   * Sets `new_password`, which `new_password_again` repeats, or adds `passkey` with its `name`. The link is redeemed and all sessions and
   * grants end. Where the page asks for a recovery code, `code` is used.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link`, `temporarily_unavailable`
   */
  reset(
    submission: Submission,
    browser: Browser,
  ): Promise<PasswordView | PasswordIsSet | FirstPasskeyView | PasskeyIsSet>;
  /** `undefined` when no user is logged in. @throws OAuthError `access_denied` for a user of another identity provider */
  showChange(browser: Browser): Promise<PasswordView | undefined>;
  /**
   * Sets `new_password` if `password` is the current one. This session goes on under a new id, and all others of the user
   * end. With `end_grants` its grants end too; otherwise they stay. A user without a password sets the first one within ten minutes of a
   * login, and nothing ends. `undefined`, and nothing is done, when no user is logged in.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `access_denied`, `temporarily_unavailable`
   */
  change(submission: Submission, browser: Browser): Promise<PasswordView | PasswordIsSet | undefined>;
}
