import { RedirectableError } from '../../model/errors.ts';
import type { Scopes } from '../../model/scope.ts';
import { requestableScopesOf, splitScopes, withheldScopesOf } from '../../openid/scopes.ts';
import { grantScopes, parseScope, type ScopeSyntax } from '../../rules/scope.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import { issuesCode } from '../response-types/response-types.ts';
import type { RequestingClient } from './authorization-request.ts';

/**
 * The scopes that the client asks for. When the request names none, these are all that it has of its resource server (RFC 6749
 * §3.3), and none of OpenID Connect.
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
    const available = [...client.scopes, ...requestableScopesOf(client, resourceServer)];
    const asked = grantScopes(parseScope(scope, syntax), available);
    const useful = withoutUseless(asked, requesting, responseType);
    return useful instanceof RedirectableError ? useful : withoutWithheld(useful, requesting);
  } catch (error) {
    if (error instanceof RedirectableError) return error;
    throw error;
  }
}

/**
 * Without `openid` the scopes for claims give nothing, which is an error. `offline_access` is ignored where it can give nothing
 * (OpenID Connect Core §11): without `openid`, a code, or the right of the client to refresh tokens.
 */
function withoutUseless(
  scopes: Scopes,
  { client, resourceServer }: RequestingClient,
  responseType: ResponseType,
): Scopes | RedirectableError {
  const { openid } = splitScopes(scopes, resourceServer);
  const isOpenid = openid.includes('openid');
  const useless = isOpenid ? undefined : openid.find((scope) => scope !== 'offline_access');
  if (useless !== undefined) {
    return new RedirectableError('invalid_scope', {
      description: `The scope ${useless} is one of OpenID Connect, and needs the scope openid too.`,
      rule: 'openid_scope',
      expected: 'the scope openid too',
      came: useless,
    });
  }
  const isOffline = isOpenid && client.useRefreshTokens && issuesCode(responseType);
  if (isOffline || !openid.includes('offline_access')) return scopes;
  return scopes.filter((scope) => scope !== 'offline_access');
}

/** What needs an administrator's confirmation is left out, which `scope` of the answer shows (RFC 6749 §3.3). */
function withoutWithheld(scopes: Scopes, { client, resourceServer }: RequestingClient): Scopes {
  const withheld = withheldScopesOf(client);
  if (withheld.length === 0) return scopes;
  return scopes.filter((scope) => !withheld.includes(scope) || resourceServer.scopes.includes(scope));
}
