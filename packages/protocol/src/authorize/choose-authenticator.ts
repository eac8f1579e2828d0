import type { AuthenticationModule } from '../ports/authentication-module.ts';
import type { Authenticators } from '../ports/authenticators.ts';
import type { Interaction } from './interaction.ts';
import type { Outcome } from './outcome.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { type SealDependencies, sealBriefly, tooLong } from './seal-interaction.ts';

/**
 * The authenticator of a login, where the user need not choose it: the only one, or the one that the request names. The name
 * in a request is a hint and proves nothing. A name that is not configured is ignored, because clients cannot know the names.
 * A preference in the registration of a client would be handled here too. `undefined`: the user chooses.
 */
export function authenticatorOf(
  request: Pick<AuthorizationRequest, 'authenticatorHint'> | undefined,
  authenticators: Authenticators,
): AuthenticationModule | undefined {
  const [first] = authenticators.values();
  return authenticators.size === 1 ? first : authenticators.get(request?.authenticatorHint ?? '');
}

/** Lets the user choose between several authenticators. */
export function offerAuthenticators(
  interaction: Interaction,
  authenticators: Authenticators,
  deps: SealDependencies,
): Outcome {
  const sealed = sealBriefly(interaction, {}, false, deps);
  if (sealed === undefined) return tooLong(interaction);
  const { request, browser } = interaction;
  const all = [...authenticators.keys()];
  const last = all.find((name) => name === browser.lastAuthenticator);
  const names = last === undefined ? all : [last, ...all.filter((name) => name !== last)];
  return { type: 'authenticators', names, last, ...(request && { request }), ...sealed };
}
