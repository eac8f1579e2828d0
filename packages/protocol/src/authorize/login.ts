import type { AuthenticationModule, AuthenticationStep } from '../ports/authentication-module.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import type { AuthState } from './auth-state.ts';
import type { Authentication } from './authentication.ts';
import { authenticatorOf, offerAuthenticators } from './choose-authenticator.ts';
import { forwardToLogin } from './forward.ts';
import type { Interaction } from './interaction.ts';
import type { Outcome } from './outcome.ts';
import { type SealDependencies, sealInteraction } from './seal-interaction.ts';
import { accessDenied, type LoggedIn, type StartSessionDependencies, startSession } from './start-session.ts';

export interface LoginDependencies extends SealDependencies, StartSessionDependencies {
  readonly authentication: Authentication;
}

/** Begins a login, with the page on which the user chooses an authenticator where there are several. */
export async function beginLogin(
  interaction: Interaction,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const { request, authenticator: chosen = '' } = interaction;
  const { authenticators } = deps;
  const authenticator = authenticators.get(chosen) ?? authenticatorOf(request, authenticators);
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

/** A form or a redirect returns to the authenticator. */
export async function resumeLogin(
  authenticator: AuthenticationModule,
  interaction: Interaction,
  { moduleState, startsSession }: Pick<AuthState, 'moduleState' | 'startsSession'>,
  submission: Submission,
  deps: LoginDependencies,
): Promise<LoggedIn | Outcome> {
  const step = await deps.authentication.resume(authenticator, interaction, moduleState, submission);
  const handle = submitted(submission, 'auth_state');
  // Until the login succeeds the waiting state stays, so that Back leads to another choice or another attempt.
  const isOver = step.type === 'authenticated' && interaction.browser.waiting?.has(handle);
  const cookies = isOver ? { waiting: { handle, authState: null } } : {};
  return takeStep({ ...interaction, cookies }, authenticator, step, deps, startsSession);
}

async function takeStep(
  interaction: Interaction,
  authenticator: AuthenticationModule,
  step: AuthenticationStep,
  deps: LoginDependencies,
  startsSession?: string,
): Promise<LoggedIn | Outcome> {
  const { name } = authenticator;
  switch (step.type) {
    case 'authenticated':
      return startSession(interaction, name, step, deps, startsSession);
    case 'form': {
      const { request } = interaction;
      const sessionId = timeOrderedId(deps.clock.now(), deps.random);
      const kept = { authenticator: name, moduleState: step.state, startsSession: sessionId };
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
