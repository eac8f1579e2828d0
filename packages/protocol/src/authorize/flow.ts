import { OAuthError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import { answeredPage, isAnswered } from './answered-page.ts';
import type { AuthState, Stage } from './auth-state.ts';
import type { Browser } from './browser.ts';
import { resumeConsent } from './consent.ts';
import type { ClientInteraction, OwnPage } from './interaction.ts';
import { beginLoginWith, resumeLogin } from './login.ts';
import { advance, afterLogin, currentSession, type FlowDependencies, restart } from './next-step.ts';
import type { Outcome } from './outcome.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import type { Prompt } from './request/prompt.ts';
import { afterChoice } from './select-account.ts';
import { originOf } from './start-session.ts';

// The requests of a browser that continue an authorization request, one function for each kind.

/** @param request `undefined` when the resource owner wants to see their own account */
export function start(
  request: AuthorizationRequest | undefined,
  browser: Browser,
  deps: FlowDependencies,
  ownPage?: OwnPage,
): Promise<Outcome> {
  return advance({ request, ownPage, browser, cookies: {} }, deps);
}

/**
 * The browser returns from a page that was open for too long. Its answer decides nothing: the request starts again at its first step that is
 * not done. A login that the client demands is not new any more, so it is demanded again.
 */
export async function startOver(
  stage: Stage,
  state: AuthState,
  late: Submission,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const { request, ownPage, authenticator } = state;
  const mustAskConsent = isAskedLate(stage, state, late, await currentSession(browser, deps));
  const interaction = { request, ownPage, authenticator, browser, cookies: {}, mustAskConsent };
  const outcome = await advance(interaction, deps);
  switch (outcome.type) {
    case 'authenticators':
    case 'login':
    case 'selectAccount':
    case 'consent':
      return { ...outcome, late };
    default:
      return outcome;
  }
}

/** What was remembered meanwhile must not turn "Deny" into a consent, and no user goes on unasked as another one who has logged in. */
function isAskedLate(
  stage: Stage,
  { mustAskConsent = false, sessionId }: AuthState,
  late: Submission,
  session: LoginSession | undefined,
): boolean {
  if (mustAskConsent || stage === 'consent') return true;
  if (session === undefined) return false;
  const username = submitted(late, 'username');
  return stage === 'login'
    ? username !== '' && username !== session.owner.principal.name
    : stage === 'again' && session.id !== sessionId;
}

/**
 * The user has chosen an authenticator. Without a name, or with one that is not configured, the user chooses again.
 */
export async function chooseAuthenticator(
  { request, ownPage, mustAskConsent = false }: AuthState,
  name: string,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const interaction = { request, ownPage, browser, cookies: {}, mustAskConsent };
  return afterLogin(await beginLoginWith(deps.authenticators.get(name), interaction, deps), deps);
}

/** A form or a redirect returns to an authentication module. */
export async function submitLogin(
  state: AuthState,
  submission: Submission,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const { request, ownPage, mustAskConsent = false, authenticator: name = '' } = state;
  const interaction = { request, ownPage, browser, cookies: {}, mustAskConsent };
  const authenticator = deps.authenticators.get(name);
  // The configuration lost the authenticator while its page was shown.
  if (authenticator === undefined) return advance(interaction, deps);
  return afterLogin(await resumeLogin(authenticator, interaction, state, submission, deps), deps);
}

/** The user has chosen an account. */
export async function selectAccount(
  state: AuthState,
  submission: Submission,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const session = await currentSession(browser, deps);
  return advance(afterChoice(state, submission, browser, session), deps);
}

/** A form returns to the consent module. */
export async function submitConsent(
  state: AuthState,
  submission: Submission,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const { interaction, session, answered } = await returnedConsentPage(state, browser, deps);
  if (answered !== undefined) return answered;
  // The page was shown in another session, so the resource owner of this one is asked, even after a consent before.
  const again = { ...interaction, mustAskConsent: true };
  if (session === undefined || session.id !== state.sessionId) return advance(again, deps);
  const outcome = await resumeConsent(interaction, session, state, submission, deps);
  if (outcome !== undefined) return outcome;
  // Another answer to the same page, at the same moment, can have changed what is remembered.
  const isAnsweredBefore = await isAnswered(state, deps.consentAnswers);
  return isAnsweredBefore ? answeredPage(interaction, session, deps.authStates) : restart(again, deps);
}

/**
 * The user is not the resource owner that the consent page names. The session ends, and the request continues with a login,
 * for which a session at an identity provider is not enough.
 */
export async function switchOwner(
  state: AuthState,
  browser: Browser,
  deps: FlowDependencies,
): Promise<Outcome> {
  const { interaction, session, answered } = await returnedConsentPage(state, browser, deps);
  if (answered !== undefined) return answered;
  if (session !== undefined && session.id !== state.sessionId) {
    return advance({ ...interaction, mustAskConsent: true }, deps);
  }
  await deps.sessions.end(browser, originOf(interaction), 'login');
  const { request } = interaction;
  const prompt = [...new Set<Prompt>([...request.prompt, 'login'])];
  return advance({ ...interaction, request: { ...request, prompt }, cookies: { session: null } }, deps);
}

/** The form returns from the page that reports that a consent page was answered before. */
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

/** @throws OAuthError for a state without a request, which no page has that leads here */
function clientInteraction(
  { request, mustAskConsent = false }: AuthState,
  browser: Browser,
): ClientInteraction {
  if (request === undefined) throw new OAuthError('invalid_auth_state');
  return { request, browser, cookies: {}, mustAskConsent };
}

/** A consent page returns. If it was answered before, the result has the page that reports this. */
async function returnedConsentPage(state: AuthState, browser: Browser, deps: FlowDependencies) {
  const interaction = clientInteraction(state, browser);
  const [session, isAnsweredBefore] = await Promise.all([
    currentSession(browser, deps),
    isAnswered(state, deps.consentAnswers),
  ]);
  const answered = isAnsweredBefore ? answeredPage(interaction, session, deps.authStates) : undefined;
  return { interaction, session, answered };
}
