import type { LoginSession } from '../../model/login-session.ts';
import type { Instruments } from '../../ports/instruments.ts';
import type { Registry } from '../../ports/registry.ts';
import { accessDenied, errorOf, type Interaction, originOf } from '../interaction.ts';
import { noLongerRegistered, withCurrentClient } from '../request/requesting-client.ts';
import { type RequiredLoginDependencies, unmetRequirement } from '../required-login.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import type { PendingSession, StepResult } from './step.ts';

export interface EstablishDependencies extends RequiredLoginDependencies {
  readonly registry: Registry;
  readonly sessions: LoginSessions;
  readonly instruments: Instruments;
}

/** Ends a login: the session is valid from here on. A session that was valid before stays as it is. */
export async function establishSession(
  interaction: Interaction,
  { session: valid, prepared }: PendingSession,
  deps: EstablishDependencies,
): Promise<StepResult<LoginSession>> {
  if (prepared === undefined) return { type: 'done', interaction, session: valid };
  const { sessions, instruments } = deps;
  const { session, value } = await sessions.store(prepared, originOf(interaction));
  if ((await prepared.login.stillHolds?.()) === false) {
    const { binding } = prepared.cookies;
    await sessions.end({ binding, session: value }, originOf(interaction), 'account');
    return accessDenied(interaction, 'The account changed during the login.');
  }
  instruments.loggedIn(session.authenticator);
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
  const current = { ...interaction, request };
  const unmet = unmetRequirement(request, session, deps);
  return unmet === undefined
    ? { type: 'done', interaction: current, session }
    : errorOf(current, unmet, true);
}
