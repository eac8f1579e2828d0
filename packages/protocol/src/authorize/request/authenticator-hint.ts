import { type AuthorizationParameters, firstValue } from '../parameters.ts';

/** The parameter `authenticator_hint`, which no standard has. A value that cannot be a name is ignored. */
export function readAuthenticatorHint(parameters: AuthorizationParameters): string | undefined {
  const hint = firstValue(parameters, 'authenticator_hint');
  return hint !== undefined && /^[\w.@/-]{1,100}$/.test(hint) ? hint : undefined;
}
