import type { CreationOptions } from '@watchword/passkeys';
import type {
  Browser,
  BrowserCookies,
  Credential,
  CredentialKind,
  ResourceOwner,
  Submission,
} from '@watchword/protocol';
import type { AcceptedPasskeys } from '../passkeys/accepted-passkeys.ts';
import type { PasswordProblem } from '../passwords/password-pages.ts';
import type { ShownTotp } from './enrolment.ts';

/** How a person proves a login, beside the first factor. */
export interface OwnFactors {
  readonly factors: readonly OwnFactor[];
  readonly recoveryCodesLeft: number;
  /** They were given out, but only one or two are left, or none although there is a factor. */
  readonly needsRecoveryCodes: boolean;
  /** Absent where browsers allow no passkeys. */
  readonly passkeys: AcceptedPasskeys | undefined;
}

export type OwnFactor = Pick<Credential, 'id' | 'kind' | 'name' | 'creationDate' | 'lastUsed'>;

export interface FactorView {
  readonly owner: ResourceOwner;
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** The page had been open for too long, or was of another login. Nothing was done. */
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem | undefined;
}

/** On which an app for one-time codes is added. */
export interface TotpView extends FactorView, ShownTotp {
  readonly type: 'totp';
  /** As it was typed. */
  readonly name: string;
}

/** On which a passkey is added. */
export interface PasskeyView extends FactorView {
  readonly type: 'passkey';
  /** For the browser. */
  readonly options: CreationOptions;
  /** As it was typed, or the device. */
  readonly name: string;
}

/** Recovery codes that were just made, or how many are left. */
export interface CodesView extends FactorView {
  readonly type: 'codes';
  /** Empty: none were made. */
  readonly codes: readonly string[];
  readonly left: number;
  /** What was added with them. */
  readonly added?: CredentialKind | undefined;
}

/** On which a factor gets another name, or is removed. */
export interface OneFactorView extends FactorView {
  readonly type: 'factor';
  readonly factor: OwnFactor;
  /** It is the last one: the recovery codes are removed with it. */
  readonly isLast: boolean;
  /** The password opens the account alone afterwards, so it is asked for, and must be long enough. */
  readonly asksPassword: boolean;
}

/**
 * What came of a change.
 *
 * - `login`: the person has not logged in just now, with a second factor if there is one
 * - `added`, `renamed`, `removed`: it is done
 * - `gone`: there is no such factor
 * - `last`: without it, nobody could log in to the account
 * - `late`: the page had been open for too long, or was of another login, or did not know that the factor is the last one. Nothing is done
 */
export type FactorOutcome = 'login' | 'added' | 'renamed' | 'removed' | 'gone' | 'last' | 'late';

/** The pages of second factors. All resolve with `undefined` when no user is logged in. */
export interface FactorsEndpoint {
  of(owner: ResourceOwner): Promise<OwnFactors>;
  showTotp(browser: Browser): Promise<TotpView | 'login' | undefined>;
  /** Takes `code` and `name`. @throws OAuthError `unbound_submission`, `invalid_auth_state` */
  addTotp(
    submission: Submission,
    browser: Browser,
  ): Promise<TotpView | CodesView | FactorOutcome | undefined>;
  showPasskey(browser: Browser): Promise<PasskeyView | FactorOutcome | undefined>;
  /** Takes `passkey`, the answer of the browser, and `name`. @throws OAuthError as `addTotp` */
  addPasskey(
    submission: Submission,
    browser: Browser,
  ): Promise<PasskeyView | CodesView | FactorOutcome | undefined>;
  showCodes(browser: Browser): Promise<CodesView | 'login' | undefined>;
  /** Makes a new set. @throws OAuthError as `addTotp` */
  makeCodes(submission: Submission, browser: Browser): Promise<CodesView | FactorOutcome | undefined>;
  /** The codes of the page that was just shown. @throws OAuthError as `addTotp` */
  codesOf(submission: Submission, browser: Browser): Promise<readonly string[] | FactorOutcome | undefined>;
  showFactor(id: string, browser: Browser): Promise<OneFactorView | FactorOutcome | undefined>;
  /** Takes `name`, and `remove` with `password`. @throws OAuthError as `addTotp` */
  change(submission: Submission, browser: Browser): Promise<OneFactorView | FactorOutcome | undefined>;
}
