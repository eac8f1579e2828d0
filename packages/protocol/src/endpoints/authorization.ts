import {
  type AuthState,
  type AuthStateDependencies,
  AuthStates,
  type OwnPage,
  type Stage,
} from '../authorize/auth-state.ts';
import type { AuthorizationAnswer } from '../authorize/authorization-answer.ts';
import type { Browser } from '../authorize/browser.ts';
import { authorizationFlow, type Flow, type FlowDependencies, type PageStage } from '../authorize/flow.ts';
import {
  type ForeseenAnswer,
  foreseen,
  type IncomingDependencies,
  type IncomingRequest,
  readIncoming,
} from '../authorize/incoming-request.ts';
import type { Outcome } from '../authorize/outcome.ts';
import type { AuthorizationRequest } from '../authorize/request/authorization-request.ts';
import { Authentication, type AuthenticationModuleDependencies } from '../authorize/steps/authentication.ts';
import { OAuthError } from '../model/errors/errors.ts';
import type { Client } from '../model/records/client.ts';
import { type Submission, submitted } from '../ports/modules/module-step.ts';
import { type Tracer, traced } from '../ports/system/tracer.ts';
import { errorPage, type FinishDependencies, finishStep } from './finish-step.ts';

export type AuthorizationDependencies = IncomingDependencies &
  AuthStateDependencies &
  FinishDependencies &
  AuthenticationModuleDependencies &
  Omit<FlowDependencies, 'authStates' | 'authentication'> & { readonly tracer?: Tracer | undefined };

/**
 * The authorization endpoint (RFC 6749 §3.1) with the pages on the way.
 *
 * Every method throws `OAuthError` for what only the resource owner must see: an unknown client or redirect URI, a form that
 * was changed, or is of another browser. The form of a page that was open for too long decides nothing: its request starts again.
 */
export interface AuthorizationEndpoint {
  /** An authorization request. */
  authorize(parameters: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** What the answer to an authorization request will be. Nothing begins. */
  foresee(parameters: Submission, browser: Pick<Browser, 'source'>): Promise<ForeseenAnswer>;
  /**
   * The user chooses an authenticator. `authenticator` is its name; without it, the answer is the page on which users choose.
   * The submission comes from that page, or from a login page of an authenticator.
   */
  choose(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /**
   * The login form returns, or the browser returns from the server to which the authentication module redirected it.
   *
   * @param authenticator the module whose address the browser opened; it can continue only its own logins
   */
  login(submission: Submission, browser: Browser, authenticator?: string): Promise<AuthorizationAnswer>;
  /** The user cancels on a page of the stage. A client that no administrator confirmed gets the error by a page that names where it goes. */
  cancel(stage: CancelStage, submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** A user goes from the page for a new account, or for a forgotten password, to the login that was asked for. */
  logIn(
    stage: 'signUp' | 'forgotten',
    submission: Submission,
    browser: Browser,
  ): Promise<AuthorizationAnswer>;
  /** The form of a step of the login returns, after the first factor. */
  loginStep(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The user has chosen an account: `account` is `current` or `other`. */
  selectAccount(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The consent form returns. */
  consent(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The consent page returns from a user who is not the resource owner that it names. */
  switchOwner(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The form of the page that reports an answered consent page returns. */
  startAgain(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The page of a stage comes once more, in another language for example. Nothing is decided. */
  showAgain(stage: PageStage, submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** A browser opens the address of a step by itself. @returns `undefined` unless a login of it waits at another server */
  resume(browser: Browser): Promise<AuthorizationAnswer | undefined>;
  /** An administrator tries an authenticator, also one with which no user can log in. */
  tryLogin(authenticator: string, testId: string, browser: Browser): Promise<AuthorizationAnswer>;
  /** The owner of a session shows who they are at another authenticator, whose person can then be linked to the account. */
  loginToLink(authenticator: string, sessionId: string, browser: Browser): Promise<AuthorizationAnswer>;
  /** A user wants to see a page of their own account, without a valid session. @param isAgain with one whose login is too old */
  loginForAccount(browser: Browser, page: OwnPage, isAgain?: boolean): Promise<AuthorizationAnswer>;
  /**
   * The login that is under way.
   *
   * @param authenticator as for `login`
   */
  pendingLogin(submission: Submission, browser: Browser, authenticator: string): Promise<PendingLogin>;
}

/** The pages on which a user can give up. */
type CancelStage = 'login' | 'step' | 'select' | 'signUp';

export interface PendingLogin {
  /** `undefined` when the user wants to see their own account. */
  readonly request: AuthorizationRequest | undefined;
  /** The page was open for too long: `login` starts its request again. */
  readonly isLate: boolean;
}

export function authorizationEndpoint(deps: AuthorizationDependencies): AuthorizationEndpoint {
  const authStates = new AuthStates(deps);
  const flow = authorizationFlow({ ...deps, authStates, authentication: new Authentication(deps) });
  /** A submission to an address of one module must not be passed to another module. */
  const openFor = async (stage: Stage, submission: Submission, browser: Browser, authenticator?: string) => {
    const opened = await authStates.openLate(stage, submission, browser);
    if (authenticator === undefined || authenticator === opened.state.authenticator) return opened;
    throw new OAuthError('invalid_auth_state');
  };
  const finish = (step: Promise<Outcome>, clientOf: () => Client | undefined, browser: Browser) =>
    finishStep(step, clientOf, browser, deps);
  const ofNone = (step: Promise<Outcome>, browser: Browser) => finish(step, () => undefined, browser);
  const step = <Given extends readonly unknown[], Result>(name: string, work: (...given: Given) => Result) =>
    traced(deps.tracer, name, work);
  const read = step('read authorization request', readIncoming);
  const begin = step('begin authorization', flow.start);
  const again = step('start authorization again', flow.startOver);
  /** A page returns. If it is late, its request starts again. */
  const returning =
    (stage: Stage, go: typeof flow.choose) =>
    async (submission: Submission, browser: Browser, authenticator?: string) => {
      const { state, isLate } = await openFor(stage, submission, browser, authenticator);
      const step = isLate ? again(stage, state, submission, browser) : go(state, submission, browser);
      return finish(step, of(state), browser);
    };
  const resuming = (stage: 'login' | 'step' | 'select' | 'consent'): typeof flow.choose => {
    return (...returned) => flow.resume(stage, ...returned);
  };

  return {
    async authorize(parameters, browser) {
      const incoming = await read(parameters, browser, deps);
      return finish(started(incoming, browser, begin, deps), () => incoming.client, browser);
    },
    foresee: async (parameters, browser) => foreseen(await read(parameters, browser, deps)),
    async choose(submission, browser) {
      const { state, isLate } = await authStates.openLate('login', submission, browser);
      const authenticator = submitted(submission, 'authenticator');
      const step = isLate
        ? again('login', { ...state, authenticator }, submission, browser)
        : flow.choose(state, submission, browser);
      return finish(step, of(state), browser);
    },
    login: returning('login', step('continue login', resuming('login'))),
    cancel: (stage, ...returned) => returning(stage, cancelling(flow, deps))(...returned),
    logIn: (stage, ...returned) =>
      returning(stage, (state, _, browser) => flow.goOn(state, browser))(...returned),
    loginStep: returning('step', step('continue login', resuming('step'))),
    selectAccount: returning('select', resuming('select')),
    consent: returning('consent', step('take consent', resuming('consent'))),
    switchOwner: returning('consent', flow.switchOwner),
    startAgain: returning('again', flow.startAgain),
    async showAgain(stage, submission, browser) {
      const opened = await authStates.openLate(stage, submission, browser);
      return finish(flow.showAgain(stage, opened, browser), of(opened.state), browser);
    },
    async resume(browser) {
      const state = await newestWaiting(browser, authStates);
      return state && finish(flow.goOn(state, browser, 'reopened'), of(state), browser);
    },
    tryLogin: (name, testId, browser) => ofNone(flow.logInFor(name, { testId }, browser), browser),
    loginToLink: (name, linkTo, browser) => ofNone(flow.logInFor(name, { linkTo }, browser), browser),
    loginForAccount: (browser, page, isAgain) => ofNone(begin(undefined, browser, page, isAgain), browser),
    async pendingLogin(submission, browser, authenticator) {
      const { state, isLate } = await openFor('login', submission, browser, authenticator);
      return { request: state.request, isLate };
    },
  };
}

/** The client of a state, for an error. */
function of({ request }: AuthState): () => Client | undefined {
  return () => request?.client;
}

async function started(
  { reading }: IncomingRequest,
  browser: Browser,
  begin: Flow['start'],
  deps: AuthorizationDependencies,
): Promise<Outcome> {
  return shownFirst(
    reading.type === 'valid' ? await begin(reading.request, browser) : reading,
    browser,
    deps,
  );
}

function cancelling(flow: Flow, deps: AuthorizationDependencies): Flow['cancel'] {
  return async (state, submission, browser) =>
    shownFirst(await flow.cancel(state, submission, browser), browser, deps);
}

/** An error goes to a client that anybody can have registered only after a page, unless the user is logged in. */
async function shownFirst(
  outcome: Outcome,
  browser: Browser,
  deps: AuthorizationDependencies,
): Promise<Outcome> {
  if (outcome.type !== 'errorForClient' || outcome.isImmediate) return outcome;
  const session = await deps.sessions.current(browser, deps.authenticators);
  return session === undefined ? errorPage(outcome, deps) : outcome;
}

/** The state of the login that this browser began last at another server, if it can still be continued. */
async function newestWaiting(browser: Browser, authStates: AuthStates): Promise<AuthState | undefined> {
  // Handles are ordered by time.
  const handle = [...(browser.waiting?.keys() ?? [])].toSorted().at(-1);
  if (handle === undefined) return undefined;
  try {
    return await authStates.open('login', new Map([['auth_state', [handle]]]), browser);
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}
