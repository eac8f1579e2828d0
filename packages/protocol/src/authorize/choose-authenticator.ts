import type { AuthenticationModule } from '../ports/authentication-module.ts';
import type { Authenticators } from '../ports/authenticators.ts';
import type { AuthorizationRequest } from './request.ts';

/**
 * The authenticator of a login, where nobody has to choose it: the only one, or the one that the request names. The name
 * in a request is a hint and proves nothing. One that is not configured is ignored, for a client cannot know which there
 * are. A preference that is registered for a client belongs here too. `undefined`: the user chooses.
 */
export function authenticatorOf(
  request: Pick<AuthorizationRequest, 'authenticatorHint'> | undefined,
  authenticators: Authenticators,
): AuthenticationModule | undefined {
  const [first] = authenticators.values();
  return authenticators.size === 1 ? first : authenticators.get(request?.authenticatorHint ?? '');
}

/** The parameter `authenticator_hint`, which is no parameter of a standard. What cannot be a name says nothing. */
export function readAuthenticatorHint(value: string | undefined): string | undefined {
  return value !== undefined && /^[\w.@/-]{1,100}$/.test(value) ? value : undefined;
}
