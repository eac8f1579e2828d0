import type { AuthenticationModule } from '../../ports/modules/authentication-module.ts';
import { type Authenticators, isOpen, openAuthenticators } from '../../ports/modules/authenticators.ts';
import type { Interaction } from '../interaction.ts';
import type { Outcome } from '../outcome.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import { type SealDependencies, sealBriefly, tooLong } from '../seal-interaction.ts';

interface OfferDependencies extends SealDependencies {
  readonly authenticators: Authenticators;
}

/**
 * The authenticator of a login, where the user need not choose it: the only one, or the one that the request names. The name
 * in a request is a hint and proves nothing. A name that is not configured is ignored, because clients cannot know the names.
 * A preference in the registration of a client would be handled here too. `undefined`: the user chooses.
 */
export function authenticatorOf(
  request: Pick<AuthorizationRequest, 'authenticatorHint'> | undefined,
  authenticators: Authenticators,
): AuthenticationModule | undefined {
  const [first, ...others] = openAuthenticators(authenticators);
  if (others.length === 0) return first;
  const hinted = authenticators.get(request?.authenticatorHint ?? '');
  return hinted !== undefined && isOpen(hinted) ? hinted : undefined;
}

/** An administrator tries one also while no user can log in with it. */
export function permitted(
  authenticator: AuthenticationModule | undefined,
  { testId }: Interaction,
): AuthenticationModule | undefined {
  return authenticator !== undefined && (testId !== undefined || isOpen(authenticator))
    ? authenticator
    : undefined;
}

/** Lets the user choose between several authenticators. */
export function offerAuthenticators(interaction: Interaction, deps: OfferDependencies): Outcome {
  const sealed = sealBriefly(interaction, {}, false, deps);
  if (sealed === undefined) return tooLong(interaction);
  const { request, browser } = interaction;
  const all = openAuthenticators(deps.authenticators).map(({ name }) => name);
  const last = all.find((name) => name === browser.lastAuthenticator);
  const names = last === undefined ? all : [last, ...all.filter((name) => name !== last)];
  return { type: 'authenticators', names, last, ...(request && { request }), ...sealed };
}
