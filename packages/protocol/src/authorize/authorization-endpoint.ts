import type { ProtocolErrorName } from '../errors.ts';
import type { Submission } from '../ports/module-step.ts';
import { type AuthStateDependencies, AuthStates } from './auth-state.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { Browser } from './browser.ts';
import { Dispatcher, type DispatcherDependencies } from './dispatcher.ts';
import type { PendingLogin } from './parties.ts';
import { type ConsentDependencies, RememberedConsent } from './remembered-consent.ts';
import { type RequestDependencies, readAuthorizationRequest } from './request.ts';
import { errorResponseUri, RedirectedError } from './response.ts';

export type AuthorizationDependencies = RequestDependencies &
  AuthStateDependencies &
  ConsentDependencies &
  Omit<DispatcherDependencies, 'authStates' | 'rememberedConsent'>;

/** An answer of the authorization endpoint; `refusal` names the error that a redirect carries. */
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
  /** The login form comes back, or the browser from where the authentication module sent it. */
  login(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** The consent form comes back. */
  consent(submission: Submission, browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** Somebody wants to see their own account and has no session that holds. */
  loginForAccount(browser: Browser): Promise<AuthorizationEndpointAnswer>;
  /** Who asks for the login that is under way; `undefined` when the owner came for their own account. */
  loggingInFor(submission: Submission, browser: Browser): Promise<PendingLogin | undefined>;
}

export function authorizationEndpoint(world: AuthorizationDependencies): AuthorizationEndpoint {
  const authStates = new AuthStates(world);
  const rememberedConsent = new RememberedConsent(world);
  const dispatcher = new Dispatcher({ ...world, authStates, rememberedConsent });

  const answering = async (
    work: () => Promise<AuthorizationAnswer>,
  ): Promise<AuthorizationEndpointAnswer> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RedirectedError)) throw error;
      const location = errorResponseUri(error, world.issuer());
      return { type: 'redirect', location, cookies: {}, refusal: error.error.kind };
    }
  };

  return {
    authorize: (parameters, browser) =>
      answering(() => dispatcher.arrive(readAuthorizationRequest(parameters, world), browser)),
    login: (submission, browser) =>
      answering(async () =>
        dispatcher.resumeLogin(await authStates.open('login', submission, browser), submission, browser),
      ),
    consent: (submission, browser) =>
      answering(async () =>
        dispatcher.resumeConsent(await authStates.open('consent', submission, browser), submission, browser),
      ),
    loginForAccount: (browser) => answering(() => dispatcher.arrive(undefined, browser)),
    loggingInFor: async (submission, browser) =>
      dispatcher.pendingLogin(await authStates.open('login', submission, browser)),
  };
}
