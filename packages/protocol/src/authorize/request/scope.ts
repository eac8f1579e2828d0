import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Scopes } from '../../model/scope.ts';
import { namesOf, withNames } from '../../model/targeted-scope.ts';
import { openidScopesOf, splitScopes, withoutIgnored } from '../../openid/scopes.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import {
  type AskedResourceServer,
  askedResourceServers,
  ownScopesOf,
  refuseUnnamedResource,
  scopesOfAll,
} from '../../rules/asked-resources.ts';
import { grantScopes, parseScope, type ScopeSyntax } from '../../rules/scope.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import { issuesCode } from '../response-types/response-types.ts';
import type { RequestingClient } from './authorization-request.ts';

/**
 * The scopes that the client asks for and can have, at the resource servers that the request names (RFC 8707 §2), or else at its own;
 * `scope` of the answer shows what was left out (RFC 6749 §3.3). When the request names no scope, these are all that it has there,
 * and none of OpenID Connect.
 */
export function readScopes(
  parameters: AuthorizationParameters,
  requesting: RequestingClient,
  responseType: ResponseType,
  { scopeSyntax, registry }: { readonly scopeSyntax: ScopeSyntax; readonly registry: Registry },
): Scopes | RedirectableError {
  const { client } = requesting;
  try {
    const asked = askedResourceServers(parameters.get('resource') ?? [], client, registry);
    const scope = firstValue(parameters, 'scope');
    if (scope === undefined) return asked === undefined ? client.scopes : scopesOfAll(asked);
    const names = parseScope(scope, scopeSyntax);
    const scopes =
      asked === undefined ? scopesOfHome(names, requesting, registry) : scopesAtAll(names, asked, requesting);
    return withoutUseless(scopes, requesting, responseType);
  } catch (error) {
    if (error instanceof RedirectableError) return error;
    throw error;
  }
}

/** @throws RedirectableError `invalid_scope`, `invalid_target` */
function scopesOfHome(
  names: Scopes,
  { client, resourceServer }: RequestingClient,
  registry: Registry,
): Scopes {
  const available = [...client.scopes, ...openidScopesOf(client, resourceServer)];
  refuseUnnamedResource(names, available, client, registry);
  return grantScopes(withoutIgnored(names, available, resourceServer), available);
}

/** A name means that scope at each of the resource servers that has it. @throws RedirectableError `invalid_scope` */
function scopesAtAll(
  names: Scopes,
  asked: readonly AskedResourceServer[],
  { client, resourceServer }: RequestingClient,
): Scopes {
  const own = ownScopesOf(asked);
  const openid = openidScopesOf(client, resourceServer).filter((scope) => !own.includes(scope));
  const available = [...scopesOfAll(asked), ...openid];
  const known = namesOf(available);
  return withNames(available, grantScopes(withoutIgnored(names, known, { scopes: own }), known));
}

/**
 * The scopes of OpenID Connect give nothing without `openid`, but for `offline_access`, which gives nothing without a code (OpenID
 * Connect Core §11): there they are left out.
 */
function withoutUseless(
  scopes: Scopes,
  { resourceServer }: RequestingClient,
  responseType: ResponseType,
): Scopes | RedirectableError {
  const { openid } = splitScopes(scopes, resourceServer);
  const isLogin = openid.includes('openid');
  if (!isLogin && openid.includes('groups')) {
    return new RedirectableError('invalid_scope', because('openid_scope', { of: 'groups' }));
  }
  const useless: Scopes = openid.filter((scope) =>
    scope === 'offline_access' ? !issuesCode(responseType) : !isLogin,
  );
  return scopes.filter((scope) => !useless.includes(scope));
}
