import { OAuthError, RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import { isStorableKey } from '../../model/resource-owner.ts';
import type {
  Authenticated,
  AuthenticationModule,
  AuthenticationRefused,
  AuthenticationStep,
} from '../../ports/modules/authentication-module.ts';
import { type Authenticators, isOpen, openAuthenticators } from '../../ports/modules/authenticators.ts';
import type { LinkedLogins } from '../../ports/modules/linked-logins.ts';
import { submitted } from '../../ports/modules/module-step.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';
import { accessDenied, type ClientInteraction, errorOf, type Interaction, ofClient } from '../interaction.ts';
import { isStaleLogin, needsLogin, whyLogin } from '../needs-login.ts';
import type { Outcome } from '../outcome.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import type { Prompt } from '../request/prompt.ts';
import { type RequiredLoginDependencies, unmetRequirement } from '../required-login.ts';
import type { RestartReason } from '../restart-reason.ts';
import { type SealDependencies, sealBriefly, sealInteraction, tooLong } from '../seal-interaction.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import { loginTime } from '../sessions/login-time.ts';
import type { ErrorForClient, ErrorForOwner } from '../targets/authorization-error.ts';
import type { Authentication } from './authentication.ts';
import type { PendingSession, Step, StepResult } from './step.ts';

export interface FirstFactorDependencies extends SealDependencies, RequiredLoginDependencies {
  readonly authenticators: Authenticators;
  readonly authentication: Authentication;
  readonly sessions: LoginSessions;
  /** Absent where there are no local accounts. */
  readonly linkedLogins?: LinkedLogins | undefined;
}

type Result = StepResult<PendingSession>;

/** An authenticator says who the user is. Where there are several, the user chooses one first. */
export function firstFactor(
  deps: FirstFactorDependencies,
): Step<PendingSession | undefined, PendingSession> & { readonly name: 'login' } {
  const { authenticators, authentication } = deps;

  /** Without an authenticator the user chooses. */
  const beginWith = async (
    authenticator: AuthenticationModule | undefined,
    interaction: Interaction,
    pending: PendingSession | undefined,
  ): Promise<Result> => {
    if (authenticator === undefined && interaction.testId !== undefined)
      throw new OAuthError('invalid_auth_state');
    if (authenticator === undefined) return offerAuthenticators(interaction, deps);
    const { session } = pending ?? {};
    const step = await authentication.begin(authenticator, interaction, session);
    return taken(step, authenticator, { interaction, session }, deps);
  };

  return {
    name: 'login',

    isNeeded: ({ request, testId, linkTo, mustLogIn = false }, pending) =>
      testId !== undefined ||
      linkTo !== undefined ||
      mustLogIn ||
      pending === undefined ||
      (request !== undefined &&
        (needsLogin(request, pending.session, deps.clock.now()) ||
          unmetRequirement(request, pending.session, deps) !== undefined)),

    async begin(interaction, pending) {
      const { request, authenticator = '' } = interaction;
      if (request?.prompt.includes('none')) {
        return errorOf(interaction, new RedirectableError('login_required', { rule: 'user_login' }), true);
      }
      if (request?.prompt.includes('create')) return signUp(ofClient(interaction), deps);
      const named = permitted(authenticators.get(authenticator), interaction);
      const told = { ...interaction, again: interaction.again ?? whyAgain(interaction, pending, deps) };
      return beginWith(named ?? authenticatorOf(request, authenticators), told, pending);
    },

    async resume(interaction, pending, { state, submission, chosen }) {
      if (chosen !== undefined) {
        return beginWith(permitted(authenticators.get(chosen), interaction), interaction, pending);
      }
      const authenticator = permitted(authenticators.get(state.authenticator ?? ''), interaction);
      // The server lost the authenticator while its page was shown, or an administrator disabled it.
      if (authenticator === undefined)
        return { type: 'startAgain', interaction: { ...interaction, again: 'method' } };
      const { session } = pending ?? {};
      const { moduleState, startsSession } = state;
      const step = await authentication.resume(authenticator, interaction, session, moduleState, submission);
      const handle = submitted(submission, 'auth_state');
      // Until the login succeeds the waiting state stays, so that Back leads to another choice or another attempt.
      const isOver = step.type === 'authenticated' && interaction.browser.waiting?.has(handle);
      const cookies = isOver ? { waiting: { handle, authState: null } } : {};
      return taken(
        step,
        authenticator,
        { interaction: { ...interaction, cookies }, session, startsSession },
        deps,
      );
    },
  };
}

/**
 * The authenticator of a login, where the user need not choose it: the only one, or the one that the request names. The name
 * in a request is a hint and proves nothing. A name that is not configured is ignored, because clients cannot know the names.
 * A preference in the registration of a client would be handled here too. `undefined`: the user chooses.
 */
function authenticatorOf(
  request: Pick<AuthorizationRequest, 'authenticatorHint'> | undefined,
  authenticators: Authenticators,
): AuthenticationModule | undefined {
  const [first, ...others] = openAuthenticators(authenticators);
  if (others.length === 0) return first;
  const hinted = authenticators.get(request?.authenticatorHint ?? '');
  return hinted !== undefined && isOpen(hinted) ? hinted : undefined;
}

/**
 * Lets the user make an account (Initiating User Registration via OpenID Connect §4.1). The request then goes on without `create`; a user
 * who is logged in chooses between that account and the new one.
 */
function signUp(interaction: ClientInteraction, { authStates }: FirstFactorDependencies): Outcome {
  const others = interaction.request.prompt.filter((value) => value !== 'create');
  const prompt = [...new Set<Prompt>([...others, 'select_account'])];
  const request = { ...interaction.request, prompt };
  return {
    type: 'signUp',
    request,
    ...sealInteraction('signUp', { ...interaction, request }, {}, authStates),
  };
}

/** An administrator tries one also while no user can log in with it. */
function permitted(
  authenticator: AuthenticationModule | undefined,
  { testId }: Interaction,
): AuthenticationModule | undefined {
  return authenticator !== undefined && (testId !== undefined || isOpen(authenticator))
    ? authenticator
    : undefined;
}

/** A user who was logged in when the request came, or before it, is told why this is not enough. */
function whyAgain(
  { request, browser }: Interaction,
  pending: PendingSession | undefined,
  { clock }: Pick<FirstFactorDependencies, 'clock'>,
): RestartReason | undefined {
  if (pending === undefined) return browser.session === undefined ? undefined : 'ended';
  return request === undefined ? undefined : whyLogin(request, pending.session, clock.now());
}

/** Lets the user choose between several authenticators. */
function offerAuthenticators(interaction: Interaction, deps: FirstFactorDependencies): Outcome {
  const sealed = sealBriefly(interaction, {}, false, deps);
  if (sealed === undefined) return tooLong(interaction);
  const { request, browser } = interaction;
  const all = openAuthenticators(deps.authenticators).map(({ name }) => name);
  const last = all.find((name) => name === browser.lastAuthenticator);
  const names = last === undefined ? all : [last, ...all.filter((name) => name !== last)];
  return { type: 'authenticators', names, last, ...(request && { request }), ...sealed };
}

/** A login that has come to a step of its module. */
interface Attempt {
  readonly interaction: Interaction;
  /** In which the browser was before. */
  readonly session: LoginSession | undefined;
  /** The id that the page has decided on. */
  readonly startsSession?: string | undefined;
}

async function taken(
  step: AuthenticationStep,
  { name }: AuthenticationModule,
  attempt: Attempt,
  deps: FirstFactorDependencies,
): Promise<Result> {
  const { interaction } = attempt;
  const { request, testId, linkTo, cookies } = interaction;
  if (testId !== undefined && (step.type === 'authenticated' || step.type === 'refused')) {
    return { type: 'triedLogin', step, testId, authenticator: name, cookies };
  }
  switch (step.type) {
    case 'authenticated': {
      if (linkTo !== undefined) return identified(step, name, linkTo, interaction, deps);
      const { source } = interaction.browser;
      const login =
        deps.linkedLogins === undefined ? step : await deps.linkedLogins.resolve(step, name, source);
      return login === undefined
        ? accessDenied(interaction, { account: 'disabled' })
        : proved(login, name, attempt, deps);
    }
    case 'form': {
      const startsSession = timeOrderedId(deps.clock.now(), deps.random);
      const kept = { authenticator: name, moduleState: step.state, startsSession };
      const sealed = sealInteraction('login', interaction, kept, deps.authStates);
      return { type: 'login', step, authenticator: name, ...(request && { request }), ...sealed };
    }
    case 'redirect':
    case 'post': {
      const { brief = false, state: moduleState } = step;
      const sealed = sealBriefly(interaction, { authenticator: name, moduleState }, brief, deps);
      if (sealed === undefined) return tooLong(interaction);
      const { authState, cookies } = sealed;
      return step.type === 'redirect'
        ? { type: 'forward', location: await step.location(authState), cookies }
        : { type: 'forward', location: step.location, fields: await step.fields(authState), cookies };
    }
    case 'refused':
      return refused(step, interaction);
  }
}

function refused(
  { error = 'access_denied', description }: AuthenticationRefused,
  interaction: Interaction,
): ErrorForClient | ErrorForOwner {
  if (error === 'access_denied') return accessDenied(interaction, { said: description });
  const { trusted = false } = interaction.request?.client ?? {};
  return errorOf(interaction, new RedirectableError(error, { description }), trusted);
}

/** No session begins, and the one that is there goes on. */
function identified(
  step: Authenticated,
  authenticator: string,
  sessionId: string,
  { browser, cookies }: Interaction,
  { authStates, linkedLogins }: FirstFactorDependencies,
): Outcome {
  const identity = linkedLogins?.identityOf(step, authenticator);
  const authState = authStates.seal('link', { sessionId, identity }, authStates.bindingOf(browser));
  return { type: 'identified', authState, cookies };
}

/** The factor is proved. It is stored only with the session, after all steps of the login. */
async function proved(
  step: Authenticated,
  authenticator: string,
  { interaction, session, startsSession: id }: Attempt,
  { authStates, authenticators, clock, sessions }: FirstFactorDependencies,
): Promise<Result> {
  const { request } = interaction;
  const now = clock.now();
  if (request !== undefined && isStaleLogin(request, loginTime(step, now), now)) {
    // The client asked for a new login, and the module returned an older one.
    return errorOf(interaction, new RedirectableError('login_required', because('recent_login')), true);
  }
  if (!isStorableKey(step.identityProvider ?? authenticator, step.principal.name)) {
    return accessDenied(interaction, { account: 'name too long' });
  }
  const binding = authStates.bindingOf(interaction.browser);
  // The session was enough, but not for the authentication context or the user that the client requires.
  const isStepUp = session !== undefined && request !== undefined && !needsLogin(request, session, now);
  const cookies = { ...interaction.browser, binding };
  const prepared = await sessions.prepare({ login: step, authenticator, cookies, id, isStepUp });
  const proven = {
    ...interaction,
    browser: cookies,
    hasLoggedIn: true,
    again: undefined,
    cookies: {
      ...interaction.cookies,
      ...(authenticators.size > 1 && { lastAuthenticator: authenticator }),
      ...(binding !== interaction.browser.binding && { binding }),
      ...(step.device !== undefined && { device: step.device }),
    },
  };
  return { type: 'done', interaction: proven, session: { session: prepared.session, prepared } };
}
