import { type AuthStateDependencies, AuthStates } from '../authorize/auth-state.ts';
import { Authentication, type AuthenticationModuleDependencies } from '../authorize/authentication.ts';
import type { AuthorizationAnswer } from '../authorize/authorization-answer.ts';
import type { Browser } from '../authorize/browser.ts';
import {
  chooseAuthenticator,
  start,
  startAgain,
  submitConsent,
  submitLogin,
  switchOwner,
} from '../authorize/flow.ts';
import type { FlowDependencies } from '../authorize/next-step.ts';
import type { Outcome } from '../authorize/outcome.ts';
import type { AuthorizationRequest } from '../authorize/request/authorization-request.ts';
import { type RequestDependencies, readAuthorizationRequest } from '../authorize/request/read-request.ts';
import type { ErrorForClient } from '../authorize/targets/authorization-error.ts';
import { errorResponse } from '../authorize/targets/response-target.ts';
import { OAuthError } from '../model/errors.ts';
import { type Submission, submitted } from '../ports/module-step.ts';

export type AuthorizationDependencies = RequestDependencies &
  AuthStateDependencies &
  AuthenticationModuleDependencies &
  Omit<FlowDependencies, 'authStates' | 'authentication'>;

/**
 * The authorization endpoint (RFC 6749 §3.1) with the pages on the way.
 *
 * Every method throws `OAuthError` for what only the resource owner must see: an unknown client or redirect URI, a form that
 * is too old, changed, or of another browser.
 */
export interface AuthorizationEndpoint {
  /** An authorization request. */
  authorize(parameters: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The redirect URI of the response to an authorization request. */
  redirectUriOf(parameters: Submission): string;
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
  /** The consent form returns. */
  consent(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The consent page returns from a user who is not the resource owner that it names. */
  switchOwner(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The form of the page that reports an answered consent page returns. */
  startAgain(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** A user without a valid session wants to see their own account. */
  loginForAccount(browser: Browser): Promise<AuthorizationAnswer>;
  /**
   * The request for which a login is under way; `undefined` when the user wants to see their own account.
   *
   * @param authenticator as for `login`
   */
  pendingRequest(
    submission: Submission,
    browser: Browser,
    authenticator: string,
  ): Promise<AuthorizationRequest | undefined>;
}

export function authorizationEndpoint(deps: AuthorizationDependencies): AuthorizationEndpoint {
  const authStates = new AuthStates(deps);
  const flow: FlowDependencies = { ...deps, authStates, authentication: new Authentication(deps) };
  /** A submission to an address of one module must not be passed to another module. */
  const loginState = async (submission: Submission, browser: Browser, authenticator?: string) => {
    const state = await authStates.open('login', submission, browser);
    if (authenticator === undefined || authenticator === state.authenticator) return state;
    throw new OAuthError('invalid_auth_state');
  };
  const answer = (outcome: Outcome) => answerOf(outcome, deps.issuer);

  return {
    async authorize(parameters, browser) {
      const reading = readAuthorizationRequest(parameters, deps);
      const outcome = reading.type === 'valid' ? await start(reading.request, browser, flow) : reading;
      if (outcome.type !== 'errorForClient' || outcome.isImmediate) return answer(outcome);
      const session = await deps.sessions.current(browser, deps.authenticators);
      return session === undefined ? errorPage(outcome, deps.issuer) : answer(outcome);
    },
    redirectUriOf(parameters) {
      const reading = readAuthorizationRequest(parameters, deps);
      if (reading.type === 'errorForOwner') throw reading.error;
      return reading.type === 'valid' ? reading.request.target.redirectUri : reading.target.redirectUri;
    },
    async choose(submission, browser) {
      const state = await authStates.open('login', submission, browser);
      return answer(await chooseAuthenticator(state, submitted(submission, 'authenticator'), browser, flow));
    },
    async login(submission, browser, authenticator) {
      const state = await loginState(submission, browser, authenticator);
      return answer(await submitLogin(state, submission, browser, flow));
    },
    async consent(submission, browser) {
      const state = await authStates.open('consent', submission, browser);
      return answer(await submitConsent(state, submission, browser, flow));
    },
    async switchOwner(submission, browser) {
      return answer(await switchOwner(await authStates.open('consent', submission, browser), browser, flow));
    },
    async startAgain(submission, browser) {
      return answer(await startAgain(await authStates.open('again', submission, browser), browser, flow));
    },
    loginForAccount: async (browser) => answer(await start(undefined, browser, flow)),
    pendingRequest: async (submission, browser, authenticator) =>
      (await loginState(submission, browser, authenticator)).request,
  };
}

/** The answer for the browser. @throws OAuthError for the resource owner */
function answerOf(outcome: Outcome, issuer: string): AuthorizationAnswer {
  switch (outcome.type) {
    case 'errorForOwner':
      throw outcome.error;
    case 'errorForClient': {
      const { target, error, cookies } = outcome;
      return { ...errorResponse(target, error, issuer), error, cookies };
    }
    default:
      return outcome;
  }
}

/** Shows the resource owner an error first, and offers to take it to the client. */
function errorPage({ target, error, cookies }: ErrorForClient, issuer: string): AuthorizationAnswer {
  return { type: 'error', error, response: errorResponse(target, error, issuer), cookies };
}
