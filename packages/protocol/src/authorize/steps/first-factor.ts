import { OAuthError, RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { reaches, strongest } from '../../model/login-level.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import { isStorableKey } from '../../model/resource-owner.ts';
import type {
  Authenticated,
  AuthenticationModule,
  AuthenticationRefused,
  AuthenticationStep,
} from '../../ports/modules/authentication-module.ts';
import type { Authenticators } from '../../ports/modules/authenticators.ts';
import type { LinkedLogins } from '../../ports/modules/linked-logins.ts';
import { submitted } from '../../ports/modules/module-step.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';
import { accessDenied, type ClientInteraction, errorOf, type Interaction, ofClient } from '../interaction.ts';
import { requiredLevel } from '../needed-levels.ts';
import { isStaleLogin, needsLogin, whyLogin } from '../needs-login.ts';
import type { Outcome } from '../outcome.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import type { Prompt } from '../request/prompt.ts';
import { isOtherUser, type RequiredLoginDependencies, unmetRequirement } from '../required-login.ts';
import type { RestartReason } from '../restart-reason.ts';
import { type SealDependencies, sealBriefly, sealInteraction, tooLong } from '../seal-interaction.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import { loginTime } from '../sessions/login-time.ts';
import type { ErrorForClient, ErrorForOwner } from '../targets/authorization-error.ts';
import type { Authentication } from './authentication.ts';
import { authenticatorOf, offerAuthenticators, permitted } from './choose-authenticator.ts';
import type { LoginStep } from './login-step.ts';
import type { PendingSession, Step, StepResult } from './step.ts';

export interface FirstFactorDependencies extends SealDependencies, RequiredLoginDependencies {
  readonly authenticators: Authenticators;
  readonly authentication: Authentication;
  readonly sessions: LoginSessions;
  /** What follows the first factor, in this order. */
  readonly loginSteps: readonly LoginStep[];
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

    isNeeded: (interaction, pending) => {
      const { request, testId, linkTo, mustLogIn = false } = interaction;
      return (
        testId !== undefined ||
        linkTo !== undefined ||
        mustLogIn ||
        pending === undefined ||
        (request !== undefined &&
          (needsLogin(request, pending.session, deps.clock.now()) ||
            isUnmet(request, pending.session, interaction, deps)))
      );
    },

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
      const { moduleState, startsSession, sessionId: begunIn } = state;
      const step = await authentication.resume(authenticator, interaction, session, moduleState, submission);
      const handle = submitted(submission, 'auth_state');
      // Until the login succeeds the waiting state stays, so that Back leads to another choice or another attempt.
      const isOver = step.type === 'authenticated' && interaction.browser.waiting?.has(handle);
      const cookies = isOver ? { waiting: { handle, authState: null } } : {};
      return taken(
        step,
        authenticator,
        { interaction: { ...interaction, cookies }, session, startsSession, begunIn },
        deps,
      );
    },
  };
}

/** Whether the session is not what the client requires, unless a further step makes it so: that one alone is asked then. */
function isUnmet(
  request: AuthorizationRequest,
  session: LoginSession,
  interaction: Interaction,
  deps: FirstFactorDependencies,
): boolean | Promise<boolean> {
  if (unmetRequirement(request, session, deps) === undefined) return false;
  const level = requiredLevel(request, session.authentication, deps.strength);
  if (level === undefined || isOtherUser(request, session, deps)) return true;
  const reached = deps.loginSteps.map((step) => step.reach?.(session, interaction));
  return Promise.all(reached).then((levels) => !reaches(strongest(levels), level));
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

/** A user who was logged in when the request came, or before it, is told why this is not enough. */
function whyAgain(
  { request, browser }: Interaction,
  pending: PendingSession | undefined,
  { clock }: Pick<FirstFactorDependencies, 'clock'>,
): RestartReason | undefined {
  if (pending === undefined) return browser.session === undefined ? undefined : 'ended';
  return request === undefined ? undefined : whyLogin(request, pending.session, clock.now());
}

/** A login that has come to a step of its module. */
interface Attempt {
  readonly interaction: Interaction;
  /** In which the browser was before. */
  readonly session: LoginSession | undefined;
  /** The id that the page has decided on. */
  readonly startsSession?: string | undefined;
  /** The session in which its page was shown. */
  readonly begunIn?: string | undefined;
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
      const begunIn = attempt.session?.id ?? attempt.begunIn;
      const kept = {
        authenticator: name,
        moduleState: step.state,
        startsSession,
        ...(begunIn !== undefined && { sessionId: begunIn }),
      };
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
  { interaction, startsSession: id, begunIn }: Attempt,
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
  const cookies = { ...interaction.browser, binding };
  const prepared = await sessions.prepare({
    login: step,
    authenticator,
    cookies,
    id,
    isStepUp: true,
    begunIn,
  });
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
