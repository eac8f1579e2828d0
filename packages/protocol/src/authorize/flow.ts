import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { LoginSession } from '../model/records/login-session.ts';
import { type Submission, submitted } from '../ports/modules/module-step.ts';
import type { AuthState, OpenedState, OwnPage, Stage } from './auth-state.ts';
import type { Browser } from './browser.ts';
import { errorOf, ofClient, originOf, returnedInteraction } from './interaction.ts';
import type { Outcome } from './outcome.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import type { Prompt } from './request/prompt.ts';
import { changedSession, type RestartReason } from './restart-reason.ts';
import { type ConsentDependencies, consentStep, isAnswered } from './steps/consent.ts';
import { dispatcher } from './steps/dispatch.ts';
import { type EstablishDependencies, establishSession } from './steps/establish-session.ts';
import { type FirstFactorDependencies, firstFactor } from './steps/first-factor.ts';
import { type PagedStepDependencies, pagedStep } from './steps/paged-step.ts';
import { answeredPage, type RespondDependencies, respond } from './steps/respond.ts';
import { selectAccount } from './steps/select-account.ts';
import { askedAgain, type Steps } from './steps/step.ts';

export interface FlowDependencies
  extends FirstFactorDependencies,
    EstablishDependencies,
    PagedStepDependencies,
    ConsentDependencies,
    Omit<RespondDependencies, 'consentAnswers'> {}

/** The stages of a request that have a page of this server. */
export type PageStage = 'login' | 'step' | 'select' | 'consent' | 'again';

/** One of them is there. */
type LoginPurpose = Pick<AuthState, 'testId' | 'linkTo'>;

/** A state that comes back to its page. */
type Return = (state: AuthState, submission: Submission, browser: Browser) => Promise<Outcome>;

/** The requests of a browser: one that begins an authorization request, and those that continue one. */
export interface Flow {
  /**
   * @param request `undefined` when the resource owner wants to see their own account
   * @param mustLogIn a session is not enough
   */
  start(
    request: AuthorizationRequest | undefined,
    browser: Browser,
    ownPage?: OwnPage,
    mustLogIn?: boolean,
  ): Promise<Outcome>;
  /**
   * The browser returns from a page that was open for too long. Its answer decides nothing: the request starts again at its first step that
   * is not done. A login that the client demands is not new any more, so it is demanded again.
   */
  startOver(stage: Stage, ...returned: Parameters<Return>): Promise<Outcome>;
  /** A page comes once more, in another language for example. Nothing is decided; unless the page is late, no login is demanded twice. */
  showAgain(stage: PageStage, opened: OpenedState, browser: Browser): Promise<Outcome>;
  /** Something beside the steps ends, or a browser opens the address of a step by itself: the request goes on at its first step that is not done. */
  goOn(state: AuthState, browser: Browser, again?: RestartReason): Promise<Outcome>;
  /** A login that begins no session: an administrator tries an authenticator, or the owner of a session shows who they are there. */
  logInFor(authenticator: string, purpose: LoginPurpose, browser: Browser): Promise<Outcome>;
  /** The user has chosen an authenticator. Without a name, or with one that is not configured, the user chooses again. */
  choose: Return;
  /** The user gives up on a page of the login, so the client gets `access_denied`. A session that was valid before stays. */
  cancel: Return;
  /** A page returns to its step, or a redirect to the authentication module. */
  resume(step: 'login' | 'step' | 'select' | 'consent', ...returned: Parameters<Return>): Promise<Outcome>;
  /**
   * The user is not the resource owner that the consent page names. The session ends, and the request continues with a login,
   * for which a session at an identity provider is not enough.
   */
  switchOwner: Return;
  /** The form returns from the page that reports that a consent page was answered before. */
  startAgain: Return;
}

export function authorizationFlow(deps: FlowDependencies): Flow {
  const { authStates, sessions, authenticators } = deps;
  const current = (browser: Browser) => sessions.current(browser, authenticators);
  const steps = stepsOf(deps, current);
  return {
    start: (request, browser, ownPage, mustLogIn = false) =>
      steps.start({ request, ownPage, browser, cookies: {}, mustLogIn, again: whyAgain(mustLogIn) }),

    startOver: async (stage, state, late, browser) =>
      comingLate(await startedOver(stage, state, late, browser, steps), late),

    async showAgain(stage, { state, isLate }, browser) {
      if (isLate) return startedOver(stage, state, new Map(), browser, steps);
      const interaction = { ...returnedInteraction(state, browser), authenticator: state.authenticator };
      if (stage === 'again') return answeredPage(ofClient(interaction), await current(browser), authStates);
      return stage === 'step' || stage === 'consent'
        ? steps.showAgain(stage, interaction, state)
        : steps.start(interaction);
    },

    goOn: (state, browser, again) =>
      steps.start({ ...returnedInteraction(state, browser), authenticator: state.authenticator, again }),

    logInFor: (authenticator, purpose, browser) =>
      steps.start({ request: undefined, ...purpose, authenticator, browser, cookies: {} }),

    choose: (state, submission, browser) => {
      const returned = { state, submission, chosen: submitted(submission, 'authenticator') };
      return steps.resume('login', returnedInteraction(state, browser), returned);
    },

    cancel: (...returned) => cancelled(deps, ...returned),

    resume: (step, state, submission, browser) =>
      steps.resume(step, returnedInteraction(state, browser), { state, submission }),

    async switchOwner(state, _, browser) {
      const interaction = ofClient(returnedInteraction(state, browser));
      const [session, isAnsweredBefore] = await Promise.all([
        current(browser),
        isAnswered(state.answerId, deps),
      ]);
      if (isAnsweredBefore) return answeredPage(interaction, session, authStates);
      if (session !== undefined && session.id !== state.sessionId)
        return steps.start(askedAgain(interaction, changedSession(session, state, browser)).interaction);
      await sessions.end(browser, originOf(interaction), 'login');
      const { request } = interaction;
      const prompt = [...new Set<Prompt>([...request.prompt, 'login'])];
      return steps.start({
        ...interaction,
        request: { ...request, prompt },
        cookies: { session: null },
        again: 'otherAccount',
      });
    },

    async startAgain(state, _, browser) {
      const session = await current(browser);
      const interaction = ofClient(returnedInteraction(state, browser));
      const isSame = session !== undefined && session.id === state.sessionId;
      const reason = changedSession(session, state, browser);
      return steps.start(isSame ? interaction : askedAgain(interaction, reason).interaction);
    },
  };
}

async function cancelled(
  { sessions, authenticators }: FlowDependencies,
  ...[state, submission, browser]: Parameters<Return>
): Promise<Outcome> {
  const interaction = ofClient(returnedInteraction(state, browser));
  const { held, sessionId } = state;
  const session = held === undefined ? undefined : await sessions.held(held, browser, authenticators);
  if (held !== undefined && session?.id === sessionId)
    await sessions.end({ binding: browser.binding, session: held }, originOf(interaction));
  const handle = submitted(submission, 'auth_state');
  const cookies = browser.waiting?.has(handle) ? { waiting: { handle, authState: null } } : {};
  const error = new RedirectableError('access_denied', because('finished_login'));
  return errorOf({ ...interaction, cookies }, error, interaction.request.client.trusted);
}

async function startedOver(
  stage: Stage,
  state: AuthState,
  late: Submission,
  browser: Browser,
  { current, start }: Pick<Steps, 'current'> & Pick<ReturnType<typeof dispatcher>, 'start'>,
): Promise<Outcome> {
  const session = await current(browser);
  const mustAskConsent = isAskedLate(stage, state, late, session);
  const { authenticator, shownTo } = state;
  const isOther = shownTo !== undefined && session !== undefined && session.owner.subject !== shownTo;
  return start({
    ...returnedInteraction(state, browser),
    authenticator,
    mustAskConsent,
    ...(isOther && { again: 'otherUser' }),
  });
}

/** A page that comes in place of an answer has what was sent with the late one. */
function comingLate(outcome: Outcome, late: Submission): Outcome {
  switch (outcome.type) {
    case 'authenticators':
    case 'login':
    case 'loginStep':
    case 'selectAccount':
    case 'consent':
      return { ...outcome, late };
    default:
      return outcome;
  }
}

function whyAgain(mustLogIn: boolean): RestartReason | undefined {
  return mustLogIn ? 'ownAccount' : undefined;
}

/** All steps of a request, in their order. */
function stepsOf(deps: FlowDependencies, current: Steps['current']) {
  const { sessions, authenticators } = deps;
  return dispatcher({
    firstFactor: firstFactor(deps),
    login: deps.loginSteps.map((step) => pagedStep(step, deps)),
    establish: (interaction, pending) => establishSession(interaction, pending, deps),
    request: [selectAccount(deps), consentStep(deps), respond(deps)],
    current,
    async pending(browser, { held, sessionId, factors }) {
      const session =
        held === undefined ? await current(browser) : await sessions.held(held, browser, authenticators);
      return session !== undefined && session.id === sessionId ? { session, held, factors } : undefined;
    },
  });
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
    : (stage === 'again' || stage === 'step') && session.id !== sessionId;
}
