import type { AccountLink, Browser, BrowserCookies, ResourceOwner, Submission } from '@watchword/protocol';

/** With which other identity providers a person logs in to the own account. */
export interface OwnLinks {
  readonly linked: readonly Pick<AccountLink, 'authenticator' | 'name' | 'creationDate' | 'lastUsed'>[];
  /** Names of authenticators whose people can be linked. */
  readonly offered: readonly string[];
  /** Whether the person can log in with a password too. */
  readonly hasPassword: boolean;
}

/** Asks whether a person of another identity provider may log in to the account. */
export interface LinkView {
  readonly owner: ResourceOwner;
  readonly authenticator: string;
  /** The name of the person there. */
  readonly name: string;
  readonly authState: string;
  readonly cookies: BrowserCookies;
}

/**
 * What came of a link.
 *
 * - `linked`, `unlinked`: it is done
 * - `taken`: the person there logs in to another account, or the account has a link with this authenticator
 * - `used`: the person there has given applications access, as a user without a local account
 * - `unstable`: it is a local account, or the identity provider gives no identifier that stays
 * - `last`: without the link, nobody could log in to the account
 * - `late`: the page had been open for too long, or was of another login. Nothing is done
 */
export type LinkOutcome = 'linked' | 'unlinked' | 'taken' | 'used' | 'unstable' | 'last' | 'late';

export interface LinksEndpoint {
  /** `undefined` for a person without a local account. */
  of(owner: ResourceOwner): Promise<OwnLinks | undefined>;
  /**
   * Begins to link the authenticator whose name is submitted as `authenticator`. Resolves with the session to which the login there belongs,
   * or with `login` if the person has not logged in just now.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`; `not_found` for an authenticator that is not offered
   */
  begin(submission: Submission, browser: Browser): Promise<BegunLink | 'login' | 'late'>;
  /** The person has logged in at the authenticator. @throws OAuthError as `begin` */
  show(submission: Submission, browser: Browser): Promise<LinkView | LinkOutcome>;
  /** The person agrees. @throws OAuthError as `begin` */
  confirm(submission: Submission, browser: Browser): Promise<LinkOutcome>;
  /**
   * Removes the link with the authenticator whose name is submitted as `authenticator`, and ends the other sessions that began there.
   *
   * @throws OAuthError as `begin`
   */
  unlink(submission: Submission, browser: Browser): Promise<LinkOutcome>;
}

export interface BegunLink {
  readonly authenticator: string;
  readonly sessionId: string;
}
