import type { Client } from '../../model/client.ts';
import { RedirectableError } from '../../model/errors.ts';
import type { Scopes } from '../../model/scope.ts';
import { grantScopes, parseScope, type ScopeSyntax } from '../../rules/scope.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';

/** The scopes that the client asks for; all that it has when the request names none (RFC 6749 §3.3). */
export function readScopes(
  parameters: AuthorizationParameters,
  client: Client,
  syntax: ScopeSyntax,
): Scopes | RedirectableError {
  const scope = firstValue(parameters, 'scope');
  try {
    return grantScopes(scope === undefined ? undefined : parseScope(scope, syntax), client.scopes);
  } catch (error) {
    if (error instanceof RedirectableError) return error;
    throw error;
  }
}
