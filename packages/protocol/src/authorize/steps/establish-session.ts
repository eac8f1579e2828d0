import type { LoginSession } from '../../model/records/login-session.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import type { Instruments } from '../../ports/system/instruments.ts';
import { accessDenied, errorOf, type Interaction, originOf } from '../interaction.ts';
import { noLongerRegistered, withCurrentClient } from '../request/requesting-client.ts';
import { type RequiredLoginDependencies, unmetRequirement } from '../required-login.ts';
import { endRightsOfLapsed, type LapsedAdministratorDependencies } from '../sessions/lapsed-administrator.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import type { StartedSession } from '../sessions/new-session.ts';
import { askedAgain, type PendingSession, type StepResult } from './step.ts';

export interface EstablishDependencies extends RequiredLoginDependencies, LapsedAdministratorDependencies {
  readonly registry: Registry;
  readonly sessions: LoginSessions;
  readonly instruments: Instruments;
}

/** Ends a login: the session is valid from here on. One that was valid before stays as it is, or is raised by what was proved. */
export async function establishSession(
  interaction: Interaction,
  pending: PendingSession,
  deps: EstablishDependencies,
): Promise<StepResult<LoginSession>> {
  const { sessions, instruments } = deps;
  const { prepared, held, factors = [] } = pending;
  const origin = originOf(interaction);
  if (prepared === undefined) {
    if (held === undefined && factors.length === 0) return enough(interaction, pending.session, deps);
    const { binding } = interaction.browser;
    const cookies = binding !== undefined && { ...interaction.browser, binding };
    const raised = cookies ? await sessions.raise(pending, cookies, origin) : undefined;
    // It has ended meanwhile, and another user can have logged in.
    if (raised === undefined) return askedAgain(interaction, 'interrupted');
    if (held !== undefined) instruments.loggedIn(raised.session.authenticator);
    return logIn(interaction, raised, deps);
  }
  const started = await sessions.store({ ...prepared, factors }, origin);
  if ((await prepared.login.stillHolds?.()) === false) {
    const { binding } = prepared.cookies;
    await sessions.end({ binding, session: started.value }, origin, 'account');
    return accessDenied(interaction, { account: 'changed' });
  }
  instruments.loggedIn(started.session.authenticator);
  await endRightsOfLapsed(started.session.owner, origin, deps);
  return logIn(interaction, started, deps);
}

/** The browser gets the cookie. */
function logIn(
  interaction: Interaction,
  { session, value }: StartedSession,
  deps: EstablishDependencies,
): StepResult<LoginSession> {
  const { browser, cookies } = interaction;
  const loggedIn = {
    ...interaction,
    browser: { ...browser, session: value },
    cookies: { ...cookies, session: value },
  };
  return withCurrentRequest(loggedIn, session, deps);
}

/** During a login, the client can be changed or deleted. */
function withCurrentRequest(
  interaction: Interaction,
  session: LoginSession,
  deps: EstablishDependencies,
): StepResult<LoginSession> {
  if (interaction.request === undefined) return { type: 'done', interaction, session };
  const request = withCurrentClient(interaction.request, deps.registry);
  if (request === undefined) return { type: 'errorForOwner', error: noLongerRegistered() };
  return enough({ ...interaction, request }, session, deps);
}

/** The login has come to its end: what the client requires and was not proved is its error. */
function enough(
  interaction: Interaction,
  session: LoginSession,
  deps: EstablishDependencies,
): StepResult<LoginSession> {
  const { request } = interaction;
  const unmet = request && unmetRequirement(request, session, deps);
  return unmet === undefined ? { type: 'done', interaction, session } : errorOf(interaction, unmet, true);
}
