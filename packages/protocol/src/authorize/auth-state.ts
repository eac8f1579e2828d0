import { timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../keys/key-ring.ts';
import { OAuthError } from '../model/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import type { Random } from '../ports/random.ts';
import type { Registry } from '../ports/registry.ts';
import { sha256 } from '../rules/sha256.ts';
import type { Browser } from './browser.ts';
import { type CarriedRequest, carriedRequest, carry } from './carried-request.ts';
import type { AuthorizationRequest } from './request.ts';

/** Which form a sealed state belongs to; one cannot serve another. */
export type Stage = 'login' | 'consent' | 'again' | 'account' | 'logout';

/** What travels with a form, instead of being written to a database. */
export interface AuthState {
  /** `undefined` when the owner came for their own account. */
  readonly request?: AuthorizationRequest;
  /** Consent has to be asked whatever was remembered: the page before was somebody else's. */
  readonly mustAsk?: boolean;
  /** The login session that the form was shown in. */
  readonly sessionId?: string;
  /** Of a consent page: the id of its one answer. */
  readonly answerId?: string;
  /** Of a login: the authenticator that it goes on with; `undefined` until the user has chosen one. */
  readonly authenticator?: string;
  /** What the module wants to see again. */
  readonly moduleState?: unknown;
}

interface SealedAuthState extends Omit<AuthState, 'request'> {
  readonly request?: CarriedRequest;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  /** Digest of the browser's binding cookie, base64url. */
  readonly binding: string;
}

export interface AuthStateDependencies {
  readonly registry: Registry;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
  /** Seconds that somebody may take over a form. */
  readonly authStateLifetime: number;
}

/** Seconds by which the clocks of nodes may differ. */
export const clockTolerance = 300;

const bindingPattern = /^[A-Za-z0-9_-]{43}$/;

/** Seals `auth_state` to one stage, one browser and some minutes. */
export class AuthStates {
  readonly #deps: AuthStateDependencies;

  constructor(deps: AuthStateDependencies) {
    this.#deps = deps;
  }

  /** The value of the binding cookie: that which the browser has, or a new one. */
  bindingOf(browser: Browser): string {
    if (browser.binding !== undefined && bindingPattern.test(browser.binding)) return browser.binding;
    const bytes = Buffer.alloc(32);
    this.#deps.random.fill(bytes);
    return bytes.toString('base64url');
  }

  seal(stage: Stage, { request, ...state }: AuthState, binding: string): string {
    const { sealer, clock } = this.#deps;
    // A login may lead elsewhere, and its state then waits in cookies.
    const [carried, clientState] = carry(request, stage === 'login');
    const bound = { issuedAt: clock.now(), binding: digest(binding) };
    const sealed: SealedAuthState = { ...state, ...(carried && { request: carried }), ...bound };
    return sealer.sealText(purpose(stage), `${JSON.stringify(sealed)}\n${clientState}`);
  }

  /** Epoch milliseconds: after that, nothing that is sealed now can be opened on any node. */
  get lastUse(): number {
    return this.#deps.clock.now() + (this.#deps.authStateLifetime + clockTolerance) * 1000;
  }

  /** @throws OAuthError `unbound_submission`, `invalid_auth_state` */
  async open(stage: Stage, submission: Submission, browser: Browser): Promise<AuthState> {
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
    if (!isBound || age >= authStateLifetime * 1000) throw new OAuthError('invalid_auth_state');
    return carried === undefined
      ? state
      : { ...state, request: carriedRequest(carried, opened.slice(end + 1), registry) };
  }
}

function digest(binding: string): string {
  return sha256(binding).toString('base64url');
}

function purpose(stage: Stage): string {
  return `auth_state ${stage}`;
}
