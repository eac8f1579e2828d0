import { OAuthError, RedirectableError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type { Registry } from '../ports/registry.ts';
import type { Browser } from './browser.ts';
import { beginConsent, type ConsentDependencies } from './consent.ts';
import { errorOf, type Interaction } from './interaction.ts';
import { beginLogin, type LoginDependencies } from './login.ts';
import { needsLogin } from './needs-login.ts';
import type { Outcome } from './outcome.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { noLongerRegistered, withCurrentClient } from './request/requesting-client.ts';
import { type RequiredLoginDependencies, unmetRequirement } from './required-login.ts';
import { selectAccountPage } from './select-account.ts';
import type { LoggedIn } from './start-session.ts';

// Login and consent never lead to one another: what follows a step is decided here.

export interface FlowDependencies extends LoginDependencies, ConsentDependencies, RequiredLoginDependencies {
  readonly registry: Registry;
}

/** Without a valid session the login begins. The next step is the consent, if it must be asked, and then the response. */
export async function advance(interaction: Interaction, deps: FlowDependencies): Promise<Outcome> {
  const { request, browser } = interaction;
  const session = await currentSession(browser, deps);
  const isEnough = session && !(request && isNewLoginNeeded(request, session, deps));
  if (isEnough && request?.prompt.includes('select_account')) {
    return selectAccountPage({ ...interaction, request }, session, deps.authStates);
  }
  if (isEnough) return proceed(interaction, session, deps);
  if (request?.prompt.includes('none')) {
    return errorOf(interaction, new RedirectableError('login_required', { rule: 'user_login' }), true);
  }
  return afterLogin(await beginLogin(interaction, deps), deps);
}

/** During a login, the client can be changed or deleted. */
export async function afterLogin(outcome: LoggedIn | Outcome, deps: FlowDependencies): Promise<Outcome> {
  if (outcome.type !== 'loggedIn') return outcome;
  const { interaction, session } = outcome;
  if (interaction.request === undefined) return proceed(interaction, session, deps);
  const request = withCurrentClient(interaction.request, deps.registry);
  if (request === undefined) return { type: 'errorForOwner', error: noLongerRegistered() };
  const unmet = unmetRequirement(request, session, deps);
  if (unmet !== undefined) return errorOf({ ...interaction, request }, unmet, true);
  return proceed({ ...interaction, request }, session, deps);
}

function isNewLoginNeeded(
  request: AuthorizationRequest,
  session: LoginSession,
  deps: FlowDependencies,
): boolean {
  return (
    needsLogin(request, session, deps.clock.now()) || unmetRequirement(request, session, deps) !== undefined
  );
}

// Each is the consequence of another request, which has ended access of the same resource owner, or has got an answer.
const maxRestarts = 20;

/** Reads everything again. @throws OAuthError `temporarily_unavailable` after too many times */
export function restart(interaction: Interaction, deps: FlowDependencies): Promise<Outcome> {
  const { restarts = 0 } = interaction;
  if (restarts === maxRestarts) throw new OAuthError('temporarily_unavailable', { retryAfter: 1 });
  return advance({ ...interaction, restarts: restarts + 1 }, deps);
}

/** The resource owner is logged in. */
async function proceed(
  interaction: Interaction,
  session: LoginSession,
  deps: FlowDependencies,
): Promise<Outcome> {
  const { request, ownPage = '/account', cookies } = interaction;
  if (request === undefined) return { type: 'redirect', location: `${deps.issuer}${ownPage}`, cookies };
  return (await beginConsent({ ...interaction, request }, session, deps)) ?? restart(interaction, deps);
}

export function currentSession(
  browser: Browser,
  { sessions, authenticators }: FlowDependencies,
): Promise<LoginSession | undefined> {
  return sessions.current(browser, authenticators);
}
