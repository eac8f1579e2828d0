import { RedirectableError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type {
  Authenticated,
  AuthenticationModule,
  AuthenticationStep,
} from '../ports/authentication-module.ts';
import type { Authenticators } from '../ports/authenticators.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import type { Authentication } from './authentication.ts';
import { authenticatorOf, offerAuthenticators } from './choose-authenticator.ts';
import { forwardToLogin } from './forward.ts';
import { errorOf, type Interaction } from './interaction.ts';
import { isStaleLogin } from './needs-login.ts';
import type { Outcome } from './outcome.ts';
import { type SealDependencies, sealInteraction } from './seal-interaction.ts';
import type { Coming } from './sessions/login-event.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';
import { loginTime } from './sessions/login-time.ts';

export interface LoginDependencies extends SealDependencies {
  readonly authentication: Authentication;
  readonly authenticators: Authenticators;
  readonly sessions: LoginSessions;
}

/** The resource owner is logged in, and the interaction goes on. */
export interface LoggedIn {
  readonly type: 'loggedIn';
  readonly interaction: Interaction;
  readonly session: LoginSession;
}

/** Begins a login, with the page on which the user chooses an authenticator where there are several. */
export async function beginLogin(
  interaction: Interaction,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const authenticator = authenticatorOf(interaction.request, deps.authenticators);
  return beginLoginWith(authenticator, interaction, deps);
}

/** Begins a login with that authenticator. Without one the user chooses. */
export async function beginLoginWith(
  authenticator: AuthenticationModule | undefined,
  interaction: Interaction,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  if (authenticator === undefined) return offerAuthenticators(interaction, deps.authenticators, deps);
  const step = await deps.authentication.begin(authenticator, interaction);
  return takeStep(interaction, authenticator, step, deps);
}

/** A form or a redirect comes back to the authenticator. @param moduleState what the module kept */
export async function resumeLogin(
  authenticator: AuthenticationModule,
  interaction: Interaction,
  moduleState: unknown,
  submission: Submission,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const step = await deps.authentication.resume(authenticator, interaction, moduleState, submission);
  const handle = submitted(submission, 'auth_state');
  // Until the login succeeds the waiting state stays, so that Back leads to another choice or another attempt.
  const isOver = step.type === 'authenticated' && interaction.browser.waiting?.has(handle);
  const cookies = isOver ? { waiting: { handle, authState: null } } : {};
  return takeStep({ ...interaction, cookies }, authenticator, step, deps);
}

async function takeStep(
  interaction: Interaction,
  authenticator: AuthenticationModule,
  step: AuthenticationStep,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const { name } = authenticator;
  switch (step.type) {
    case 'authenticated':
      return startSession(interaction, name, step, deps);
    case 'form': {
      const { request } = interaction;
      const kept = { authenticator: name, moduleState: step.state };
      const sealed = sealInteraction('login', interaction, kept, deps.authStates);
      return { type: 'login', step, authenticator: name, ...(request && { request }), ...sealed };
    }
    case 'redirect':
    case 'post':
      return forwardToLogin(interaction, name, step, deps);
    case 'refused':
      return accessDenied(interaction, step.description);
  }
}

async function startSession(
  interaction: Interaction,
  authenticator: string,
  step: Authenticated,
  { sessions, authStates, authenticators, clock }: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const { request } = interaction;
  const now = clock.now();
  if (request !== undefined && isStaleLogin(request, loginTime(step, now), now)) {
    return errorOf(interaction, staleLogin(), true);
  }
  const binding = authStates.bindingOf(interaction.browser);
  const browser = { ...interaction.browser, binding };
  const coming = comingOf(interaction);
  const { session, value } = await sessions.start(step, authenticator, browser, coming);
  if ((await step.stillHolds?.()) === false) {
    await sessions.end({ binding, session: value }, coming, 'account');
    return accessDenied(interaction, 'The account changed during the login.');
  }
  const cookies = {
    ...interaction.cookies,
    session: value,
    ...(authenticators.size > 1 && { lastAuthenticator: authenticator }),
    ...(binding !== interaction.browser.binding && { binding }),
  };
  const loggedIn = { ...interaction, browser: { ...browser, session: value }, cookies };
  return { type: 'loggedIn', interaction: loggedIn, session };
}

/** The client asked for a new login, and the module returned an older one. */
function staleLogin(): RedirectableError {
  return new RedirectableError('login_required', {
    description: 'The login at the identity provider is older than the client accepts.',
  });
}

/** A module can refuse without having asked anything, so the error does not go to any client at once. */
function accessDenied(interaction: Interaction, description: string): Outcome {
  const error = new RedirectableError('access_denied', { description });
  return errorOf(interaction, error, interaction.request?.client.trusted ?? false);
}

/** Through which client, and from where, the resource owner comes. */
export function comingOf({ request, browser }: Interaction): Coming {
  return { clientId: request?.client.clientId, source: browser.source };
}
