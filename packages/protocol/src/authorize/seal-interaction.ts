import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Random } from '../ports/crypto/random.ts';
import type { Clock } from '../ports/system/clock.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import type { AuthState, AuthStates, Stage } from './auth-state.ts';
import { type BrowserCookies, waitingLimits } from './browser.ts';
import { errorOf, type Interaction } from './interaction.ts';
import type { RestartReason } from './restart-reason.ts';
import type { ErrorForClient, ErrorForOwner } from './targets/authorization-error.ts';

export interface SealDependencies {
  readonly authStates: AuthStates;
  readonly clock: Clock;
  readonly random: Random;
}

const maxWaitingLength = waitingLimits.cookies * waitingLimits.length;
// A longer state does not fit into every address that contains it.
const maxCarriedLength = waitingLimits.length;

/** The sealed state of a page or a redirect, with its cookies. */
export interface SealedInteraction {
  readonly authState: string;
  readonly cookies: BrowserCookies;
  readonly again?: RestartReason;
}

/** Seals an interaction until the browser returns to the stage. */
export function sealInteraction(
  stage: Extract<Stage, 'login' | 'step' | 'select' | 'consent' | 'again' | 'signUp'>,
  { request, ownPage, testId, linkTo, browser, cookies, mustAskConsent, again }: Interaction,
  state: Omit<AuthState, 'request' | 'ownPage' | 'testId' | 'linkTo' | 'mustAskConsent'>,
  authStates: AuthStates,
): SealedInteraction {
  // JSON leaves `undefined` out.
  const sealed = { ...state, request, ownPage, testId, linkTo, mustAskConsent: mustAskConsent || undefined };
  const page = authStates.sealPage(stage, sealed, browser);
  return { ...page, cookies: { ...cookies, ...page.cookies }, ...(again !== undefined && { again }) };
}

/**
 * Seals a login that continues at another server, or whose state is part of an address. The result is the sealed state, or a
 * handle of it while the state itself is in cookies. `undefined` if the state is too long for cookies.
 *
 * @param isBrief a handle in any case
 */
export function sealBriefly(
  interaction: Interaction,
  state: Pick<AuthState, 'authenticator' | 'moduleState'>,
  isBrief: boolean,
  { authStates, clock, random }: SealDependencies,
): SealedInteraction | undefined {
  const sealed = sealInteraction('login', interaction, state, authStates);
  const { authState, cookies, ...told } = sealed;
  if (!isBrief && authState.length <= maxCarriedLength) return sealed;
  if (authState.length > maxWaitingLength) return undefined;
  const handle = timeOrderedId(clock.now(), random);
  return { ...told, authState: handle, cookies: { ...cookies, waiting: { handle, authState } } };
}

/** The end of a login whose state {@link sealBriefly} cannot seal. */
export function tooLong(interaction: Interaction): ErrorForClient | ErrorForOwner {
  const error = new RedirectableError('invalid_request', because('request_size', { waits: true }));
  return errorOf(interaction, error, interaction.request?.client.trusted ?? false);
}
