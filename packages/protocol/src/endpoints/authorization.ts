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
import type { ProtocolErrorName } from '../model/errors.ts';
import type { Submission } from '../ports/module-step.ts';

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
  /** The login form comes back, or the browser from where the authentication module sent it. */
  login(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** The consent form comes back. */
  consent(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** The consent page comes back from somebody who is not the one whom it names. */
  switchOwner(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** The form of the page comes back that said that a consent page was answered before. */
  startAgain(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** Somebody wants to see their own account and has no session that holds. */
  loginForAccount(browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** Who asks for the login that is under way; `undefined` when the owner came for their own account. */
  loggingInFor(submission: Submission, browser: Browser): Promise<PendingLogin | undefined>;
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
    (await deps.sessions.current(browser, deps.authenticator.name)) !== undefined;

  return {
    authorize: (parameters, browser) =>
      answering(
        async () => dispatcher.arrive(readAuthorizationRequest(parameters, deps), browser),
        (error) => mayGoAtOnce(error, parameters, browser),
      ),
    redirectUriOf: (parameters) => readResponseTarget(parameters, deps.registry).target.redirectUri,
    login: (submission, browser) =>
      answering(async () =>
        dispatcher.resumeLogin(await authStates.open('login', submission, browser), submission, browser),
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
    loggingInFor: async (submission, browser) =>
      dispatcher.pendingLogin(await authStates.open('login', submission, browser)),
  };
}
