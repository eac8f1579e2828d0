import { RedirectableError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import { isStorableKey } from '../model/resource-owner.ts';
import type { Authenticated } from '../ports/authentication-module.ts';
import type { Authenticators } from '../ports/authenticators.ts';
import type { Clock } from '../ports/clock.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { AuthStates } from './auth-state.ts';
import { errorOf, type Interaction } from './interaction.ts';
import { isStaleLogin } from './needs-login.ts';
import type { Outcome } from './outcome.ts';
import type { EventOrigin } from './sessions/login-event.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';
import { loginTime } from './sessions/login-time.ts';

export interface StartSessionDependencies {
  readonly authenticators: Authenticators;
  readonly authStates: AuthStates;
  readonly sessions: LoginSessions;
  readonly clock: Clock;
  readonly instruments: Instruments;
}

/** The resource owner is logged in, and the interaction continues. */
export interface LoggedIn {
  readonly type: 'loggedIn';
  readonly interaction: Interaction;
  readonly session: LoginSession;
}

/**
 * Starts the login session of a user whom an authenticator has authenticated.
 *
 * @param authenticator its name
 * @param id of the session, if the page decides on it
 */
export async function startSession(
  interaction: Interaction,
  authenticator: string,
  step: Authenticated,
  { sessions, authStates, authenticators, clock, instruments }: StartSessionDependencies,
  id?: string,
): Promise<LoggedIn | Outcome> {
  const { request } = interaction;
  const now = clock.now();
  if (request !== undefined && isStaleLogin(request, loginTime(step, now), now)) {
    return errorOf(interaction, staleLogin(), true);
  }
  if (!isStorableKey(step.identityProvider ?? authenticator, step.principal.name)) {
    return accessDenied(interaction, 'The identity provider gives the account a name that is too long.');
  }
  const binding = authStates.bindingOf(interaction.browser);
  const browser = { ...interaction.browser, binding };
  const origin = originOf(interaction);
  const { session, value } = await sessions.start(step, authenticator, browser, origin, id);
  if ((await step.stillHolds?.()) === false) {
    await sessions.end({ binding, session: value }, origin, 'account');
    return accessDenied(interaction, 'The account changed during the login.');
  }
  instruments.loggedIn(authenticator);
  const cookies = {
    ...interaction.cookies,
    session: value,
    ...(authenticators.size > 1 && { lastAuthenticator: authenticator }),
    ...(binding !== interaction.browser.binding && { binding }),
    ...(step.device !== undefined && { device: step.device }),
  };
  const loggedIn = { ...interaction, browser: { ...browser, session: value }, cookies };
  return { type: 'loggedIn', interaction: loggedIn, session };
}

/** The client asked for a new login, and the module returned an older one. */
function staleLogin(): RedirectableError {
  return new RedirectableError('login_required', {
    description: 'The login at the identity provider is older than the client accepts.',
    rule: 'recent_login',
  });
}

/** A module can deny a login without having asked anything, so the error is not immediately redirected to every client. */
export function accessDenied(interaction: Interaction, description: string): Outcome {
  const error = new RedirectableError('access_denied', { description, rule: 'permitted_user' });
  return errorOf(interaction, error, interaction.request?.client.trusted ?? false);
}

/** The client and the network address of the request of the resource owner. */
export function originOf({ request, browser }: Interaction): EventOrigin {
  return { clientId: request?.client.clientId, source: browser.source };
}
