import { type AuthStateDependencies, AuthStates } from '../authorize/auth-state.ts';
import type { AuthorizationAnswer } from '../authorize/authorization-answer.ts';
import type { Browser } from '../authorize/browser.ts';
import { Dispatcher, type DispatcherDependencies } from '../authorize/dispatcher.ts';
import type { PendingLogin } from '../authorize/parties.ts';
import { forbidsToAsk } from '../authorize/prompt.ts';
import { RememberedConsent, type RememberedConsentDependencies } from '../authorize/remembered-consent.ts';
import {
  type RequestDependencies,
  readAuthorizationRequest,
  readResponseTarget,
} from '../authorize/request.ts';
import { errorResponseUri, RedirectedError } from '../authorize/response.ts';
import { OAuthError, type ProtocolErrorName } from '../model/errors.ts';
import { type Submission, submitted } from '../ports/module-step.ts';

export type AuthorizationDependencies = RequestDependencies &
  AuthStateDependencies &
  RememberedConsentDependencies &
  Omit<DispatcherDependencies, 'authStates' | 'rememberedConsent'>;

/** An answer of the authorization endpoint; `refusal` names the error that the client is told. */
export type AuthorizationEndpointAnswer = AuthorizationAnswer & { readonly refusal?: ProtocolErrorName };

/**
 * The authorization endpoint (RFC 6749 §3.1) with the two forms that it may show on the way.
 *
 * Every method throws `OAuthError` for what must never be redirected: unknown client or redirect URI, a form that
 * is too old, changed, or another browser's.
 */
export interface AuthorizationEndpoint {
  /** An authorization request arrives. */
  authorize(parameters: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** The redirect URI to which the answer to an authorization request goes. */
  redirectUriOf(parameters: Submission): string;
  /**
   * The user chooses an authenticator, whose name is submitted as `authenticator`. Without it the page on which users choose
   * is shown: from there, or from a page of a login that goes on with one.
   */
  choose(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /**
   * The login form comes back, or the browser from where the authentication module sent it.
   *
   * @param authenticator the module whose address the browser came to; it goes on with its own logins only
   */
  login(
    submission: Submission,
    browser: Browser,
    authenticator?: string,
  ): Promise<AuthorizationEndpointAnswer>;
  /** The consent form comes back. */
  consent(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** The consent page comes back from somebody who is not the one whom it names. */
  switchOwner(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** The form of the page comes back that said that a consent page was answered before. */
  startAgain(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** Somebody wants to see their own account and has no session that holds. */
  loginForAccount(browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /**
   * Who asks for the login that is under way; `undefined` when the owner came for their own account.
   *
   * @param authenticator as for `login`
   */
  loggingInFor(
    submission: Submission,
    browser: Browser,
    authenticator: string,
  ): Promise<PendingLogin | undefined>;
}

export function authorizationEndpoint(deps: AuthorizationDependencies): AuthorizationEndpoint {
  const authStates = new AuthStates(deps);
  const rememberedConsent = new RememberedConsent(deps);
  const dispatcher = new Dispatcher({ ...deps, authStates, rememberedConsent });

  const answering = async (
    work: () => Promise<AuthorizationAnswer>,
    goesAtOnce: (error: RedirectedError) => Promise<boolean> = async () => true,
  ): Promise<AuthorizationEndpointAnswer> => {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof RedirectedError)) throw thrown;
      const { error } = thrown;
      const told = { location: errorResponseUri(thrown, deps.issuer), cookies: {}, refusal: error.kind };
      return (await goesAtOnce(thrown)) ? { type: 'redirect', ...told } : { type: 'refusal', error, ...told };
    }
  };

  const mayGoAtOnce = async (error: RedirectedError, parameters: Submission, browser: Browser) =>
    error.goesAtOnce ||
    forbidsToAsk(parameters) ||
    readResponseTarget(parameters, deps.registry).client.trusted ||
    (await deps.sessions.current(browser, deps.authenticators)) !== undefined;

  /** What comes to an address of one module must not be submitted to another. */
  const loginState = async (submission: Submission, browser: Browser, authenticator?: string) => {
    const state = await authStates.open('login', submission, browser);
    if (authenticator === undefined || authenticator === state.authenticator) return state;
    throw new OAuthError('invalid_auth_state');
  };

  return {
    authorize: (parameters, browser) =>
      answering(
        async () => dispatcher.arrive(readAuthorizationRequest(parameters, deps), browser),
        (error) => mayGoAtOnce(error, parameters, browser),
      ),
    redirectUriOf: (parameters) => readResponseTarget(parameters, deps.registry).target.redirectUri,
    choose: (submission, browser) =>
      answering(async () => {
        const state = await authStates.open('login', submission, browser);
        return dispatcher.choose(state, submitted(submission, 'authenticator'), browser);
      }),
    login: (submission, browser, authenticator) =>
      answering(async () =>
        dispatcher.resumeLogin(await loginState(submission, browser, authenticator), submission, browser),
      ),
    consent: (submission, browser) =>
      answering(async () =>
        dispatcher.resumeConsent(await authStates.open('consent', submission, browser), submission, browser),
      ),
    switchOwner: (submission, browser) =>
      answering(async () =>
        dispatcher.switchOwner(await authStates.open('consent', submission, browser), browser),
      ),
    startAgain: (submission, browser) =>
      answering(async () =>
        dispatcher.startAgain(await authStates.open('again', submission, browser), browser),
      ),
    loginForAccount: (browser) => answering(() => dispatcher.arrive(undefined, browser)),
    loggingInFor: async (submission, browser, authenticator) =>
      dispatcher.pendingLogin(await loginState(submission, browser, authenticator)),
  };
}
