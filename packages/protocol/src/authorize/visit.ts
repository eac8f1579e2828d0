import { OAuthError } from '../model/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import type { AuthState, AuthStates } from './auth-state.ts';
import { type Browser, type BrowserCookies, waitingLimits } from './browser.ts';
import type { AuthorizationRequest } from './request.ts';
import { RedirectedError } from './response.ts';

/** One visit of a browser; `cookies` is what it will be told to keep. */
export interface Visit {
  readonly browser: Browser;
  readonly request: AuthorizationRequest | undefined;
  readonly cookies: BrowserCookies;
  /** Consent has to be asked whatever was remembered. */
  readonly mustAsk?: boolean;
}

export interface VisitDependencies {
  readonly authStates: AuthStates;
  readonly clock: Clock;
  readonly random: Random;
}

const maxWaitingLength = waitingLimits.cookies * waitingLimits.length;
// Longer ones do not fit into every address that they would have to stand in.
const maxCarriedLength = waitingLimits.length;

/** What goes with a form of a visit. */
export type SealedVisit = readonly [authState: string, cookies: BrowserCookies];

export function sealVisit(
  stage: 'login' | 'consent' | 'again',
  { request, browser, cookies, mustAsk }: Visit,
  state: Omit<AuthState, 'request' | 'mustAsk'>,
  { authStates }: Pick<VisitDependencies, 'authStates'>,
): SealedVisit {
  const binding = authStates.bindingOf(browser);
  const sealed = { ...state, ...(request && { request }), ...(mustAsk && { mustAsk }) };
  const authState = authStates.seal(stage, sealed, binding);
  return [authState, binding === browser.binding ? cookies : { ...cookies, binding }];
}

/**
 * What goes with a login that leads elsewhere, or stands in an address: the state itself, or a handle of it.
 *
 * @param isBrief a handle in any case
 */
export function sealBriefly(
  visit: Visit,
  state: Pick<AuthState, 'authenticator' | 'moduleState'>,
  isBrief: boolean,
  deps: VisitDependencies,
): SealedVisit {
  const sealed = sealVisit('login', visit, state, deps);
  const [authState, cookies] = sealed;
  if (!isBrief && authState.length <= maxCarriedLength) return sealed;
  if (authState.length > maxWaitingLength) throw tooLong(visit.request);
  const handle = timeOrderedId(deps.clock.now(), deps.random);
  return [handle, { ...cookies, waiting: { handle, authState } }];
}

function tooLong(request: AuthorizationRequest | undefined): Error {
  const error = new OAuthError('invalid_request', {
    description:
      'The request is too long for the login elsewhere, together with what the authentication module keeps; shorten state.',
  });
  return request === undefined ? error : new RedirectedError(request, error);
}
