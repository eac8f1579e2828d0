import { RedirectableError } from '../../model/errors/errors.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';

// A server that ignored one of these would answer another request than the client made.
const unsupported = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
] as const;

/** The error for a request object or a self-issued registration (OpenID Connect Core §3.1.2.6); `undefined` without one. */
export function unsupportedParameter(parameters: AuthorizationParameters): RedirectableError | undefined {
  const found = unsupported.find(([name]) => firstValue(parameters, name) !== undefined);
  return found && new RedirectableError(found[1]);
}
