import { OAuthError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type { AuthenticationModule, AuthenticationStep } from '../ports/authentication-module.ts';
import { type PostStep, type RedirectStep, type Submission, submitted } from '../ports/module-step.ts';
import { isSystemRecord } from '../rules/system-records.ts';
import type { AuthState } from './auth-state.ts';
import { Authentication, type AuthenticationModuleDependencies } from './authentication.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { Browser } from './browser.ts';
import { authenticatorOf } from './choose-authenticator.ts';
import { type ConsentDependencies, ConsentDialogue, type RequestVisit } from './consent-dialogue.ts';
import { type PendingLogin, partiesOf } from './parties.ts';
import type { Prompt } from './prompt.ts';
import type { AuthorizationRequest } from './request.ts';
import { RedirectedError, requestRefusal } from './response.ts';
import type { Coming } from './sessions/login-event.ts';
import { type SealedVisit, sealBriefly, sealVisit, type Visit } from './visit.ts';

export interface DispatcherDependencies extends ConsentDependencies, AuthenticationModuleDependencies {}

// Milliseconds. Who is no administrator any more elsewhere must not go on here for as long as a session lives.
const maxAdministratorAge = 3_600_000;

/**
 * Decides the next step after each return: log in, ask for consent, answer the client. Login and consent
 * never lead to one another.
 *
 * Every method throws `OAuthError` for the person in front of the browser and `RedirectedError` for the client.
 */
export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  readonly #authentication: Authentication;
  readonly #consent: ConsentDialogue;

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#authentication = new Authentication(deps);
    this.#consent = new ConsentDialogue(deps);
  }

  /** A browser arrives: with a request of a client's, or with none, to see the owner's account. */
  arrive(request: AuthorizationRequest | undefined, browser: Browser): Promise<AuthorizationAnswer> {
    return this.#begin({ request, browser, cookies: {} });
  }

  /** The user has chosen an authenticator; without a name, or with one that is not configured, the user chooses again. */
  choose(
    { request, mustAsk = false }: AuthState,
    name: string,
    browser: Browser,
  ): Promise<AuthorizationAnswer> {
    const visit = { request, browser, cookies: {}, mustAsk };
    const authenticator = this.#deps.authenticators.get(name);
    return authenticator === undefined ? this.#offer(visit) : this.#beginLogin(visit, authenticator);
  }

  /** A form or a redirect of an authentication module comes back. */
  async resumeLogin(
    { request, mustAsk = false, authenticator: name = '', moduleState }: AuthState,
    submission: Submission,
    browser: Browser,
  ): Promise<AuthorizationAnswer> {
    const authenticator = this.#deps.authenticators.get(name);
    // It was taken out of the configuration while its page was shown.
    if (authenticator === undefined) return this.#begin({ request, browser, cookies: {}, mustAsk });
    const handle = submitted(submission, 'auth_state');
    const cookies = browser.waiting?.has(handle) ? { waiting: { handle, authState: null } } : {};
    const visit = { request, browser, cookies: {}, mustAsk };
    const step = await this.#authentication.resume(authenticator, visit, moduleState, submission);
    // Until then the way back must stay open: to another choice, to another attempt.
    return this.#login(step.type === 'authenticated' ? { ...visit, cookies } : visit, authenticator, step);
  }

  /** Who asks for the login that a state belongs to; `undefined` when the owner came for their own account. */
  pendingLogin({ request }: AuthState): PendingLogin | undefined {
    if (request === undefined) return undefined;
    return { ...partiesOf(request, this.#deps.registry), redirectUri: request.redirectUri };
  }

  /** A form of the consent module's comes back. */
  async resumeConsent(
    state: AuthState,
    submission: Submission,
    browser: Browser,
  ): Promise<AuthorizationAnswer> {
    const visit = requestVisit(state, browser);
    const [session, isAnswered] = await Promise.all([
      this.#session(browser),
      this.#consent.isAnswered(state),
    ]);
    if (isAnswered) return this.#consent.answered(visit, session);
    // Whoever sits there now has not seen this question: it is asked of them, whatever they agreed to before.
    const again = { ...visit, mustAsk: true };
    if (session === undefined || session.id !== state.sessionId) return this.#begin(again);
    return (await this.#consent.resume(visit, session, state, submission)) ?? this.#begin(again);
  }

  /**
   * Whoever sees a consent page is not the one whom it names: their session ends, and the request goes back to a login,
   * which must not be satisfied with the session that they may have elsewhere.
   */
  async switchOwner(state: AuthState, browser: Browser): Promise<AuthorizationAnswer> {
    const visit = requestVisit(state, browser);
    const [session, isAnswered] = await Promise.all([
      this.#session(browser),
      this.#consent.isAnswered(state),
    ]);
    if (isAnswered) return this.#consent.answered(visit, session);
    if (session !== undefined && session.id !== state.sessionId) {
      return this.#begin({ ...visit, mustAsk: true });
    }
    await this.#deps.sessions.end(browser, this.#comingOf(visit), 'login');
    const { request } = visit;
    const fresh = { ...request, prompt: [...new Set<Prompt>([...request.prompt, 'login'])] };
    return this.#begin({ ...visit, request: fresh, cookies: { session: null } });
  }

  /** The request begins again, from a page that told of its end. */
  async startAgain(state: AuthState, browser: Browser): Promise<AuthorizationAnswer> {
    const visit = requestVisit(state, browser);
    const session = await this.#session(browser);
    const isSame = session !== undefined && session.id === state.sessionId;
    return this.#begin(isSame ? visit : { ...visit, mustAsk: true });
  }

  /** No valid session: a login. Else the consent, if it must be asked. Then the answer. */
  async #begin(visit: Visit): Promise<AuthorizationAnswer> {
    const { request, browser } = visit;
    const session = await this.#session(browser);
    if (session !== undefined && !this.#mustLogIn(request, session)) return this.#proceed(visit, session);
    if (request?.prompt.includes('none')) throw requestRefusal(request, 'login_required');
    const authenticator = authenticatorOf(request, this.#deps.authenticators);
    return authenticator === undefined ? this.#offer(visit) : this.#beginLogin(visit, authenticator);
  }

  async #beginLogin(visit: Visit, authenticator: AuthenticationModule): Promise<AuthorizationAnswer> {
    return this.#login(visit, authenticator, await this.#authentication.begin(authenticator, visit));
  }

  /** Lets the user choose between several authenticators. */
  async #offer(visit: Visit): Promise<AuthorizationAnswer> {
    const { authenticators } = this.#deps;
    const [authState, cookies] = sealBriefly(visit, {}, false, this.#deps);
    const all = [...authenticators.keys()];
    const last = all.find((name) => name === visit.browser.lastAuthenticator);
    const names = last === undefined ? all : [last, ...all.filter((name) => name !== last)];
    return { type: 'authenticators', authState, names, last, ...this.#shown(visit.request), cookies };
  }

  #session(browser: Browser): Promise<LoginSession | undefined> {
    const { sessions, authenticators } = this.#deps;
    return sessions.current(browser, authenticators);
  }

  #mustLogIn(request: AuthorizationRequest | undefined, session: LoginSession): boolean {
    if (request === undefined) return false;
    const { prompt, maxAge } = request;
    const { authenticatedAt, owner } = session;
    const age = this.#deps.clock.now() - authenticatedAt;
    const isAdministering =
      owner.principal.adminPrincipal &&
      isSystemRecord(partiesOf(request, this.#deps.registry).resourceServer);
    return (
      prompt.includes('login') ||
      (maxAge !== undefined && age >= maxAge * 1000) ||
      (isAdministering && age >= maxAdministratorAge)
    );
  }

  async #login(
    visit: Visit,
    authenticator: AuthenticationModule,
    step: AuthenticationStep,
  ): Promise<AuthorizationAnswer> {
    const { sessions, authStates, authenticators } = this.#deps;
    const { name } = authenticator;
    const { request } = visit;
    switch (step.type) {
      case 'authenticated': {
        const owner = { authority: step.identityProvider ?? name, principal: step.principal };
        const binding = authStates.bindingOf(visit.browser);
        const browser = { ...visit.browser, binding };
        const coming = this.#comingOf(visit);
        const { session, value } = await sessions.start(owner, name, browser, coming, step.link);
        if ((await step.stillHolds?.()) === false) {
          await sessions.end({ binding, session: value }, coming, 'account');
          return this.#login(visit, authenticator, {
            type: 'refused',
            description: 'The account changed during the login.',
          });
        }
        const cookies = {
          ...visit.cookies,
          session: value,
          ...(authenticators.size > 1 && { lastAuthenticator: name }),
          ...(binding !== visit.browser.binding && { binding }),
        };
        return this.#proceed({ ...visit, browser: { ...browser, session: value }, cookies }, session);
      }
      case 'form': {
        const kept = { authenticator: name, moduleState: step.state };
        const [authState, cookies] = sealVisit('login', visit, kept, this.#deps);
        return { type: 'login', step, authenticator: name, authState, ...this.#shown(request), cookies };
      }
      case 'redirect': {
        const [authState, cookies] = this.#leave(visit, name, step);
        return { type: 'redirect', location: await step.location(authState), isLogin: true, cookies };
      }
      case 'post': {
        const [authState, cookies] = this.#leave(visit, name, step);
        return { type: 'post', location: step.location, fields: await step.fields(authState), cookies };
      }
      case 'refused': {
        const error = new OAuthError('access_denied', { description: step.description });
        throw request === undefined ? error : new RedirectedError(request, error);
      }
    }
  }

  #leave(
    visit: Visit,
    authenticator: string,
    { brief = false, state }: RedirectStep | PostStep,
  ): SealedVisit {
    return sealBriefly(visit, { authenticator, moduleState: state }, brief, this.#deps);
  }

  /** Who asks for the login, for its pages. */
  #shown(request: AuthorizationRequest | undefined) {
    return request && { request, ...partiesOf(request, this.#deps.registry) };
  }

  #comingOf({ request, browser }: Visit): Coming {
    const client = request && this.#deps.registry.clientById(request.clientRecordId);
    return { clientId: client?.clientId, source: browser.source };
  }

  /** Somebody is logged in. */
  async #proceed(visit: Visit, session: LoginSession): Promise<AuthorizationAnswer> {
    const { request, cookies } = visit;
    if (request === undefined) {
      return { type: 'redirect', location: `${this.#deps.issuer}/account`, cookies };
    }
    return (await this.#consent.begin({ ...visit, request }, session)) ?? this.#begin(visit);
  }
}

/** @throws OAuthError for a state without a request, which no page has that leads here */
function requestVisit({ request, mustAsk = false }: AuthState, browser: Browser): RequestVisit {
  if (request === undefined) throw new OAuthError('invalid_auth_state');
  return { request, browser, cookies: {}, mustAsk };
}
