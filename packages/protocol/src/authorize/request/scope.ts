import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Scopes } from '../../model/scope.ts';
import { openidScopesOf, splitScopes, withoutIgnored } from '../../openid/scopes.ts';
import { grantScopes, parseScope, type ScopeSyntax } from '../../rules/scope.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import { issuesCode } from '../response-types/response-types.ts';
import type { RequestingClient } from './authorization-request.ts';

/**
 * The scopes that the client asks for and can have; `scope` of the answer shows what was left out (RFC 6749 §3.3). When the
 * request names none, these are all that it has of its resource server, and none of OpenID Connect.
 */
export function readScopes(
  parameters: AuthorizationParameters,
  requesting: RequestingClient,
  responseType: ResponseType,
  syntax: ScopeSyntax,
): Scopes | RedirectableError {
  const scope = firstValue(parameters, 'scope');
  const { client, resourceServer } = requesting;
  if (scope === undefined) return client.scopes;
  try {
    const available = [...client.scopes, ...openidScopesOf(client, resourceServer)];
    const asked = withoutIgnored(parseScope(scope, syntax), available, resourceServer);
    return withoutUseless(grantScopes(asked, available), requesting, responseType);
  } catch (error) {
    if (error instanceof RedirectableError) return error;
    throw error;
  }
}

/**
 * The scopes of OpenID Connect give nothing without `openid`, and `offline_access` gives nothing without a code (OpenID Connect
 * Core §11): there they are left out.
 */
function withoutUseless(
  scopes: Scopes,
  { resourceServer }: RequestingClient,
  responseType: ResponseType,
): Scopes | RedirectableError {
  const { openid, ofResourceServer } = splitScopes(scopes, resourceServer);
  if (openid.includes('openid')) {
    return issuesCode(responseType) || !openid.includes('offline_access')
      ? scopes
      : scopes.filter((scope) => scope !== 'offline_access');
  }
  if (!openid.includes('groups')) return ofResourceServer;
  return new RedirectableError('invalid_scope', because('openid_scope', { of: 'groups' }));
}
