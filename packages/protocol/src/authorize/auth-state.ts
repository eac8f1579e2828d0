import { hash, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../keys/key-ring.ts';
import { OAuthError } from '../model/errors/errors.ts';
import type { PendingLogout } from '../openid/logout-return.ts';
import type { Random } from '../ports/crypto/random.ts';
import { type Submission, submitted } from '../ports/modules/module-step.ts';
import type { ProvidedIdentity } from '../ports/stores/people/account-link-store.ts';
import type { Clock } from '../ports/system/clock.ts';
import { randomText } from '../rules/random-text.ts';
import type { Browser, BrowserCookies } from './browser.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import {
  type CarriedDependencies,
  type CarriedRequest,
  carriedClient,
  carriedRequest,
  carry,
} from './request/carried-request.ts';
import { noLongerRegistered } from './request/requesting-client.ts';
import type { Factor } from './sessions/factor.ts';

/** Which form a sealed state belongs to; one cannot serve another. */
export type Stage =
  | 'login'
  | 'step'
  | 'select'
  | 'consent'
  | 'again'
  | 'account'
  | 'withdrawn'
  | 'logout'
  | 'loggedOut'
  | 'password'
  | 'reset'
  | 'deletion'
  | 'invitation'
  | 'invitationPasskey'
  | 'resetPasskey'
  | 'signUp'
  | 'signUpMailed'
  | 'newAccount'
  | 'forgotten'
  | 'mailed'
  | 'link'
  | 'newTotp'
  | 'newPasskey'
  | 'recoveryCodes'
  | 'factor'
  | 'address'
  | 'addressMailed'
  | 'addressLink';

/** Where users see to their own account: paths below the base URL. */
export type OwnPage =
  | '/account'
  | '/account/password'
  | '/account/delete'
  | '/account/address'
  | '/account/totp'
  | '/account/passkey'
  | '/account/recovery-codes';

/** What travels with a page or a redirect, instead of being written to a database. */
export interface AuthState {
  /** `undefined` when the resource owner wants to see their own account. */
  readonly request?: AuthorizationRequest | undefined;
  /** Where the login leads without a request; default: `/account`. */
  readonly ownPage?: OwnPage | undefined;
  /** Of a login that an administrator tries. */
  readonly testId?: string | undefined;
  /** Of a login that proves whom to link to a local account: the id of the session in which it was asked for. */
  readonly linkTo?: string | undefined;
  /** Of the page that asks whether to link: the person who has logged in; absent for one who cannot be linked. */
  readonly identity?: ProvidedIdentity | undefined;
  /** Consent must be asked, even if it is remembered, because the previous page was shown to another user. */
  readonly mustAskConsent?: boolean | undefined;
  /** The login session in which the page was shown. */
  readonly sessionId?: string;
  /** The subject of its owner. */
  readonly shownTo?: string;
  /** Of a consent page: the grant of the consent that was remembered when it was made; absent if none was. */
  readonly remembered?: string;
  /** Of a consent page: the id of its one answer. */
  readonly answerId?: string;
  /** Of the page of a reset link: the digest of the link, base64url. */
  readonly resetLink?: string | undefined;
  /** Of the page of a mailed link: its id. */
  readonly personLink?: string | undefined;
  /** Of the page of a passkey with which an account is made: the account. */
  readonly named?: { readonly id: string; readonly username: string; readonly displayName: string };
  /** Of a page that takes the code of a mail: the ids of the links that were mailed. */
  readonly links?: readonly string[];
  /** Of the page after a withdrawal: the record id of the client. */
  readonly withdrawn?: number;
  /** Of a logout that a client asks for. */
  readonly logout?: PendingLogout;
  /** Of a login page: the id of the session that it starts, so that a page that is submitted twice starts one. */
  readonly startsSession?: string;
  /** For a login: the chosen authenticator; `undefined` until the user has chosen one. */
  readonly authenticator?: string;
  /** Of a login step: its name. */
  readonly step?: string;
  /** Of a login step: the cookie value of the session that waits for it. */
  readonly held?: string | undefined;
  /** Of a login step: what the steps before it have proved. */
  readonly factors?: readonly Factor[];
  /** The state of the module, of the step, or of a page of second factors. */
  readonly moduleState?: unknown;
}

/** A state that belongs to this browser. */
export interface OpenedState {
  readonly state: AuthState;
  /** The page was open for too long. The state then decides nothing: what it belongs to can only start again. */
  readonly isLate: boolean;
}

interface SealedAuthState extends Omit<AuthState, 'request'> {
  readonly request?: CarriedRequest | undefined;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  /** Digest of the browser's binding cookie, base64url. */
  readonly binding: string;
}

export interface AuthStateDependencies extends CarriedDependencies {
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
  /** Seconds within which a form must be submitted. */
  readonly authStateLifetime: number;
}

/** Seconds by which a clock can be wrong, for rules that can afford to allow so much. */
export const clockTolerance = 300;

const bindingPattern = /^[A-Za-z0-9_-]{43}$/;

/** Seals `auth_state` to one stage, one browser and some minutes. */
export class AuthStates {
  readonly #deps: AuthStateDependencies;

  constructor(deps: AuthStateDependencies) {
    this.#deps = deps;
  }

  /** The value of the binding cookie: the one of the browser, or a new one. */
  bindingOf(browser: Browser): string {
    if (browser.binding !== undefined && bindingPattern.test(browser.binding)) return browser.binding;
    return randomText(this.#deps.random, 32);
  }

  seal(stage: Stage, state: AuthState, binding: string): string {
    const { sealer, clock } = this.#deps;
    // A login can lead to another server, and its state then waits in cookies.
    const [request, clientState] =
      state.request === undefined ? [undefined, ''] : carry(state.request, stage === 'login');
    const sealed: SealedAuthState = { ...state, request, issuedAt: clock.now(), binding: digest(binding) };
    return sealer.sealText(purpose(stage), `${JSON.stringify(sealed)}\n${clientState}`);
  }

  /** Seals the form of a page for its browser, which gets a binding cookie with its first one. */
  sealPage(
    stage: Stage,
    state: AuthState,
    browser: Browser,
  ): { readonly authState: string; readonly cookies: BrowserCookies } {
    const binding = this.bindingOf(browser);
    const authState = this.seal(stage, state, binding);
    return { authState, cookies: binding === browser.binding ? {} : { binding } };
  }

  /** Epoch milliseconds: after that, no node opens what is sealed now. */
  get lastUse(): number {
    return this.#deps.clock.now() + (this.#deps.authStateLifetime + clockTolerance) * 1000;
  }

  /** A state that is not late. @throws OAuthError as {@link openLate} */
  async open(stage: Stage, submission: Submission, browser: Browser): Promise<AuthState> {
    const { state, isLate } = await this.openLate(stage, submission, browser);
    if (isLate) throw new OAuthError('invalid_auth_state');
    return state;
  }

  /**
   * A state, also a late one, as long as the key is kept with which it was sealed.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`; `invalid_request` if the client can no longer make the
   *   request
   */
  async openLate(stage: Stage, submission: Submission, browser: Browser): Promise<OpenedState> {
    const { sealer, clock, authStateLifetime, registry } = this.#deps;
    const submittedText = submitted(submission, 'auth_state');
    if (submittedText === '' || browser.binding === undefined) throw new OAuthError('unbound_submission');
    const text = browser.waiting?.get(submittedText) ?? submittedText;
    const opened = await sealer.openText(purpose(stage), text);
    const end = opened?.indexOf('\n') ?? -1;
    if (opened === undefined || end === -1) throw new OAuthError('invalid_auth_state');
    const { request: carried, ...state }: SealedAuthState = JSON.parse(opened.slice(0, end));
    const age = Math.abs(clock.now() - state.issuedAt);
    const isBound = timingSafeEqual(Buffer.from(state.binding), Buffer.from(digest(browser.binding)));
    if (!isBound) throw new OAuthError('invalid_auth_state');
    const isLate = age >= authStateLifetime * 1000;
    if (carried === undefined) return { state, isLate };
    const requested = async () => {
      const client = await carriedClient(carried, browser.source, this.#deps);
      return carriedRequest(carried, opened.slice(end + 1), client, this.#deps);
    };
    const request = await requested();
    if (request !== undefined) return { state: { ...state, request }, isLate };
    // The node that showed the page can have known of a change of the client that this node does not know yet.
    await registry.refresh();
    const again = await requested();
    if (again === undefined) throw noLongerRegistered();
    return { state: { ...state, request: again }, isLate };
  }
}

function digest(binding: string): string {
  return hash('sha256', binding, 'base64url');
}

function purpose(stage: Stage): string {
  return `auth_state ${stage}`;
}
