import type { PostStep, RedirectStep } from '../ports/module-step.ts';
import type { Interaction } from './interaction.ts';
import type { Outcome } from './outcome.ts';
import { type SealDependencies, sealBriefly, tooLong } from './seal-interaction.ts';

/** Sends the browser to another server to log in. @param authenticator name of the module whose step it is */
export async function forwardToLogin(
  interaction: Interaction,
  authenticator: string,
  step: RedirectStep | PostStep,
  deps: SealDependencies,
): Promise<Outcome> {
  const { brief = false, state: moduleState } = step;
  const sealed = sealBriefly(interaction, { authenticator, moduleState }, brief, deps);
  if (sealed === undefined) return tooLong(interaction);
  const { authState, cookies } = sealed;
  return step.type === 'redirect'
    ? { type: 'forward', location: await step.location(authState), cookies }
    : { type: 'forward', location: step.location, fields: await step.fields(authState), cookies };
}
