import { OAuthError, RedirectableError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type { Submission } from '../ports/module-step.ts';
import type { Registry } from '../ports/registry.ts';
import { answeredPage, isAnswered } from './answered-page.ts';
import type { AuthState } from './auth-state.ts';
import type { Browser } from './browser.ts';
import { beginConsent, type ConsentDependencies, resumeConsent } from './consent.ts';
import { type ClientInteraction, errorOf, type Interaction } from './interaction.ts';
import {
  beginLogin,
  beginLoginWith,
  comingOf,
  type LoggedIn,
  type LoginDependencies,
  resumeLogin,
} from './login.ts';
import { needsLogin } from './needs-login.ts';
import type { Outcome } from './outcome.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import type { Prompt } from './request/prompt.ts';
import { noLongerRegistered, withCurrentClient } from './request/requesting-client.ts';

// The next step after each request of a browser: log in, ask for consent, answer the client. Login and consent never lead to
// one another.

export interface FlowDependencies extends LoginDependencies, ConsentDependencies {
  readonly registry: Registry;
}

/** @param request `undefined` when the resource owner wants to see their own account */
export function start(
  request: AuthorizationRequest | undefined,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  return advance({ request, browser, cookies: {} }, deps);
}

/**
 * The user has chosen an authenticator. Without a name, or with one that is not configured, the user chooses again.
 */
export async function chooseAuthenticator(
  { request, mustAskConsent = false }: AuthState,
  name: string,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const interaction = { request, browser, cookies: {}, mustAskConsent };
  return afterLogin(await beginLoginWith(deps.authenticators.get(name), interaction, deps), deps);
}

/** A form or a redirect comes back to an authentication module. */
export async function submitLogin(
  { request, mustAskConsent = false, authenticator: name = '', moduleState }: AuthState,
  submission: Submission,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const interaction = { request, browser, cookies: {}, mustAskConsent };
  const authenticator = deps.authenticators.get(name);
  // The configuration lost the authenticator while its page was shown.
  if (authenticator === undefined) return advance(interaction, deps);
  return afterLogin(await resumeLogin(authenticator, interaction, moduleState, submission, deps), deps);
}

/** A form comes back to the consent module. */
export async function submitConsent(
  state: AuthState,
  submission: Submission,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const interaction = clientInteraction(state, browser);
  const [session, isAnsweredBefore] = await Promise.all([
    currentSession(browser, deps),
    isAnswered(state, deps.consentAnswers),
  ]);
  if (isAnsweredBefore) return answeredPage(interaction, session, deps.authStates);
  // The page was shown in another session, so the resource owner of this one is asked, even after a consent before.
  const again = { ...interaction, mustAskConsent: true };
  if (session === undefined || session.id !== state.sessionId) return advance(again, deps);
  return (await resumeConsent(interaction, session, state, submission, deps)) ?? advance(again, deps);
}

/**
 * The consent page names another person than the one who sees it. The session ends, and the request goes on with a login,
 * which a session at another server must not satisfy.
 */
export async function switchOwner(
  state: AuthState,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const interaction = clientInteraction(state, browser);
  const [session, isAnsweredBefore] = await Promise.all([
    currentSession(browser, deps),
    isAnswered(state, deps.consentAnswers),
  ]);
  if (isAnsweredBefore) return answeredPage(interaction, session, deps.authStates);
  if (session !== undefined && session.id !== state.sessionId) {
    return advance({ ...interaction, mustAskConsent: true }, deps);
  }
  await deps.sessions.end(browser, comingOf(interaction), 'login');
  const { request } = interaction;
  const prompt = [...new Set<Prompt>([...request.prompt, 'login'])];
  return advance({ ...interaction, request: { ...request, prompt }, cookies: { session: null } }, deps);
}

/** The form comes back of the page that reports that a consent page was answered before. */
export async function startAgain(
  state: AuthState,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const interaction = clientInteraction(state, browser);
  const session = await currentSession(browser, deps);
  const isSame = session !== undefined && session.id === state.sessionId;
  return advance(isSame ? interaction : { ...interaction, mustAskConsent: true }, deps);
}

/** Without a valid session the login begins. Then comes the consent, if it must be asked, and then the response. */
async function advance(interaction: Interaction, deps: FlowDependencies): Promise<Outcome> {
  const { request, browser } = interaction;
  const session = await currentSession(browser, deps);
  const isEnough = session && !(request && needsLogin(request, session, deps.clock.now()));
  if (isEnough) return proceed(interaction, session, deps);
  if (request?.prompt.includes('none')) {
    return errorOf(interaction, new RedirectableError('login_required'), true);
  }
  return afterLogin(await beginLogin(interaction, deps), deps);
}

/** A login takes its time, and the registration of the client can end or change meanwhile. */
async function afterLogin(outcome: LoggedIn | Outcome, deps: FlowDependencies): Promise<Outcome> {
  if (outcome.type !== 'loggedIn') return outcome;
  const { interaction, session } = outcome;
  if (interaction.request === undefined) return proceed(interaction, session, deps);
  const request = withCurrentClient(interaction.request, deps.registry);
  if (request === undefined) return { type: 'errorForOwner', error: noLongerRegistered() };
  return proceed({ ...interaction, request }, session, deps);
}

/** The resource owner is logged in. */
async function proceed(
  interaction: Interaction,
  session: LoginSession,
  deps: FlowDependencies,
): Promise<Outcome> {
  const { request, cookies } = interaction;
  if (request === undefined) return { type: 'redirect', location: `${deps.issuer}/account`, cookies };
  return (await beginConsent({ ...interaction, request }, session, deps)) ?? advance(interaction, deps);
}

function currentSession(
  browser: Browser,
  { sessions, authenticators }: FlowDependencies,
): Promise<LoginSession | undefined> {
  return sessions.current(browser, authenticators);
}

/** @throws OAuthError for a state without a request, which no page has that leads here */
function clientInteraction(
  { request, mustAskConsent = false }: AuthState,
  browser: Browser,
): ClientInteraction {
  if (request === undefined) throw new OAuthError('invalid_auth_state');
  return { request, browser, cookies: {}, mustAskConsent };
}
