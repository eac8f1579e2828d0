import { type AuthState, type AuthStateDependencies, AuthStates } from '../authorize/auth-state.ts';
import { Authentication, type AuthenticationModuleDependencies } from '../authorize/authentication.ts';
import type { AuthorizationAnswer } from '../authorize/authorization-answer.ts';
import type { Browser } from '../authorize/browser.ts';
import {
  chooseAuthenticator,
  selectAccount,
  startAgain,
  start as startRequest,
  submitConsent,
  submitLogin,
  switchOwner,
} from '../authorize/flow.ts';
import { withIdTokenHint } from '../authorize/id-token-hint.ts';
import type { OwnPage } from '../authorize/interaction.ts';
import type { FlowDependencies } from '../authorize/next-step.ts';
import type { Outcome } from '../authorize/outcome.ts';
import type { AuthorizationRequest } from '../authorize/request/authorization-request.ts';
import {
  errorForClient,
  type RequestDependencies,
  type RequestReading,
  readAuthorizationRequest,
} from '../authorize/request/read-request.ts';
import type { Client } from '../model/client.ts';
import { OAuthError, RedirectableError } from '../model/errors.ts';
import type { IdTokenHintDependencies } from '../openid/id-token-hint.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import { type Tracer, traced } from '../ports/tracer.ts';
import { errorPage, type FinishDependencies, finishStep } from './finish-step.ts';

export type AuthorizationDependencies = RequestDependencies &
  AuthStateDependencies &
  FinishDependencies &
  IdTokenHintDependencies &
  AuthenticationModuleDependencies &
  Omit<FlowDependencies, 'authStates' | 'authentication'> & { readonly tracer?: Tracer | undefined };

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
  /** The user has chosen an account: `account` is `current` or `other`. */
  selectAccount(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The consent form returns. */
  consent(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The consent page returns from a user who is not the resource owner that it names. */
  switchOwner(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** The form of the page that reports an answered consent page returns. */
  startAgain(submission: Submission, browser: Browser): Promise<AuthorizationAnswer>;
  /** A user without a valid session wants to see a page of their own account. */
  loginForAccount(browser: Browser, page: OwnPage): Promise<AuthorizationAnswer>;
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
  const finish = (step: Promise<Outcome>, clientOf: () => Client | undefined, browser: Browser) =>
    finishStep(step, clientOf, browser, deps);
  const step = <Arguments extends readonly unknown[], Result>(
    name: string,
    work: (...given: Arguments) => Result,
  ) => traced(deps.tracer, name, work);
  const read = step('read authorization request', readWithHint);
  const begin = step('begin authorization', startRequest);
  const continueLogin = step('continue login', submitLogin);
  const takeConsent = step('take consent', submitConsent);
  const start = async (parameters: Submission, browser: Browser): Promise<Outcome> => {
    const reading = await read(parameters, deps);
    const outcome = reading.type === 'valid' ? await begin(reading.request, browser, flow) : reading;
    if (outcome.type !== 'errorForClient' || outcome.isImmediate) return outcome;
    const session = await deps.sessions.current(browser, deps.authenticators);
    return session === undefined ? errorPage(outcome, deps.issuer) : outcome;
  };
  const of =
    ({ request }: AuthState) =>
    () =>
      request?.client;

  return {
    authorize: (parameters, browser) =>
      finish(start(parameters, browser), () => namedClient(parameters, deps), browser),
    redirectUriOf(parameters) {
      const reading = readAuthorizationRequest(parameters, deps);
      if (reading.type === 'errorForOwner') throw reading.error;
      return reading.type === 'valid' ? reading.request.target.redirectUri : reading.target.redirectUri;
    },
    async choose(submission, browser) {
      const state = await authStates.open('login', submission, browser);
      const chosen = submitted(submission, 'authenticator');
      return finish(chooseAuthenticator(state, chosen, browser, flow), of(state), browser);
    },
    async login(submission, browser, authenticator) {
      const state = await loginState(submission, browser, authenticator);
      return finish(continueLogin(state, submission, browser, flow), of(state), browser);
    },
    async selectAccount(submission, browser) {
      const state = await authStates.open('select', submission, browser);
      return finish(selectAccount(state, submission, browser, flow), of(state), browser);
    },
    async consent(submission, browser) {
      const state = await authStates.open('consent', submission, browser);
      return finish(takeConsent(state, submission, browser, flow), of(state), browser);
    },
    async switchOwner(submission, browser) {
      const state = await authStates.open('consent', submission, browser);
      return finish(switchOwner(state, browser, flow), of(state), browser);
    },
    async startAgain(submission, browser) {
      const state = await authStates.open('again', submission, browser);
      return finish(startAgain(state, browser, flow), of(state), browser);
    },
    loginForAccount: (browser, page) =>
      finish(begin(undefined, browser, flow, page), () => undefined, browser),
    pendingRequest: async (submission, browser, authenticator) =>
      (await loginState(submission, browser, authenticator)).request,
  };
}

/** Only then it is known which user the client means, so a hint that is not valid is an error of the request. */
async function readWithHint(
  parameters: Submission,
  deps: RequestDependencies & IdTokenHintDependencies,
): Promise<RequestReading> {
  const reading = await readOnAllNodes(parameters, deps);
  if (reading.type !== 'valid') return reading;
  const request = await withIdTokenHint(reading.request, parameters, deps);
  if (!(request instanceof RedirectableError)) return { type: 'valid', request };
  return errorForClient(reading.request, request, parameters);
}

/** Another node can have registered or changed the client a moment ago. So no request fails before its changes are read. */
async function readOnAllNodes(parameters: Submission, deps: RequestDependencies): Promise<RequestReading> {
  const reading = readAuthorizationRequest(parameters, deps);
  if (reading.type === 'valid') return reading;
  await deps.registry.refresh();
  return readAuthorizationRequest(parameters, deps);
}

/** The client that the request names, also if the rest is invalid. */
function namedClient(parameters: Submission, { registry }: RequestDependencies): Client | undefined {
  const [clientId, ...others] = parameters.get('client_id') ?? [];
  return clientId === undefined || others.length > 0 ? undefined : registry.clientByClientId(clientId);
}
