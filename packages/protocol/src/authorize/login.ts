import { RedirectableError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type {
  Authenticated,
  AuthenticationModule,
  AuthenticationStep,
} from '../ports/authentication-module.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import type { AuthStates } from './auth-state.ts';
import type { Authentication } from './authentication.ts';
import { type ForwardDependencies, forwardToLogin } from './forward.ts';
import { errorOf, type Interaction, sealInteraction } from './interaction.ts';
import type { Outcome } from './outcome.ts';
import type { Coming } from './sessions/login-event.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';

export interface LoginDependencies extends ForwardDependencies {
  readonly authentication: Authentication;
  readonly authenticator: AuthenticationModule;
  readonly authStates: AuthStates;
  readonly sessions: LoginSessions;
}

/** The resource owner is logged in, and the interaction goes on. */
export interface LoggedIn {
  readonly type: 'loggedIn';
  readonly interaction: Interaction;
  readonly session: LoginSession;
}

/** Begins a login. Which authenticator does it is decided here: there is one. */
export async function beginLogin(
  interaction: Interaction,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  return takeStep(interaction, await deps.authentication.begin(interaction), deps);
}

/** A form or a redirect comes back to the authentication module. @param moduleState what the module kept */
export async function resumeLogin(
  interaction: Interaction,
  moduleState: unknown,
  submission: Submission,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const step = await deps.authentication.resume(interaction, moduleState, submission);
  const handle = submitted(submission, 'auth_state');
  // Until the login succeeds the waiting state stays, so that Back leads to another choice or another attempt.
  const isOver = step.type === 'authenticated' && interaction.browser.waiting?.has(handle);
  const cookies = isOver ? { waiting: { handle, authState: null } } : {};
  return takeStep({ ...interaction, cookies }, step, deps);
}

async function takeStep(
  interaction: Interaction,
  step: AuthenticationStep,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  switch (step.type) {
    case 'authenticated':
      return startSession(interaction, step, deps);
    case 'form': {
      const { request } = interaction;
      const sealed = sealInteraction('login', interaction, { moduleState: step.state }, deps.authStates);
      return { type: 'login', step, ...(request && { request }), ...sealed };
    }
    case 'redirect':
    case 'post':
      return forwardToLogin(interaction, step, deps);
    case 'refused':
      return accessDenied(interaction, step.description);
  }
}

async function startSession(
  interaction: Interaction,
  step: Authenticated,
  { sessions, authStates, authenticator: { name } }: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const owner = { authority: step.identityProvider ?? name, principal: step.principal };
  const binding = authStates.bindingOf(interaction.browser);
  const browser = { ...interaction.browser, binding };
  const coming = comingOf(interaction);
  const { session, value } = await sessions.start(owner, name, browser, coming, step.link);
  if ((await step.stillHolds?.()) === false) {
    await sessions.end({ binding, session: value }, coming, 'account');
    return accessDenied(interaction, 'The account changed during the login.');
  }
  const cookies = {
    ...interaction.cookies,
    session: value,
    ...(binding !== interaction.browser.binding && { binding }),
  };
  const loggedIn = { ...interaction, browser: { ...browser, session: value }, cookies };
  return { type: 'loggedIn', interaction: loggedIn, session };
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
