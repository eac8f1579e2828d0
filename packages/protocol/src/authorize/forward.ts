import { RedirectableError } from '../model/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { PostStep, RedirectStep } from '../ports/module-step.ts';
import type { Random } from '../ports/random.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import type { AuthStates } from './auth-state.ts';
import { waitingLimits } from './browser.ts';
import { errorOf, type Interaction, type SealedInteraction, sealInteraction } from './interaction.ts';
import type { Outcome } from './outcome.ts';

export interface ForwardDependencies {
  readonly authStates: AuthStates;
  readonly clock: Clock;
  readonly random: Random;
}

const maxWaitingLength = waitingLimits.cookies * waitingLimits.length;
// A longer state does not fit into every address that it would have to stand in.
const maxCarriedLength = waitingLimits.length;

/** Sends the browser to another server to log in. */
export async function forwardToLogin(
  interaction: Interaction,
  step: RedirectStep | PostStep,
  deps: ForwardDependencies,
): Promise<Outcome> {
  const sealed = sealForReturn(interaction, step, deps);
  if (sealed === undefined) return tooLong(interaction);
  const { authState, cookies } = sealed;
  return step.type === 'redirect'
    ? { type: 'forward', location: await step.location(authState), cookies }
    : { type: 'forward', location: step.location, fields: await step.fields(authState), cookies };
}

/** The state itself, or a handle of it while it waits in cookies; `undefined` when it is too long for them. */
function sealForReturn(
  interaction: Interaction,
  { brief = false, state }: RedirectStep | PostStep,
  { authStates, clock, random }: ForwardDependencies,
): SealedInteraction | undefined {
  const sealed = sealInteraction('login', interaction, { moduleState: state }, authStates);
  const { authState, cookies } = sealed;
  if (!brief && authState.length <= maxCarriedLength) return sealed;
  if (authState.length > maxWaitingLength) return undefined;
  const handle = timeOrderedId(clock.now(), random);
  return { authState: handle, cookies: { ...cookies, waiting: { handle, authState } } };
}

function tooLong(interaction: Interaction): Outcome {
  const error = new RedirectableError('invalid_request', {
    description:
      'The request is too long for a login at another server, together with what the authentication module keeps; shorten state.',
  });
  return errorOf(interaction, error, interaction.request?.client.trusted ?? false);
}
