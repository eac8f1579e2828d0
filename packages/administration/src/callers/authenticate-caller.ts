import {
  type AccessTokenDependencies,
  administrationKey,
  authenticateAccessToken,
  formatScope,
  isBuiltIn,
  OAuthError,
  type PresentedTokenRequest,
  type RightReader,
  scopesFor,
} from '@watchword/protocol';
import type { administrationScopes } from './administration-scopes.ts';
import { type Caller, clientCaller, userCaller } from './caller.ts';
import { heldRights } from './rights.ts';

export type AdministrationScope = keyof typeof administrationScopes;

export interface CallerDependencies extends AccessTokenDependencies {
  readonly rights: RightReader;
}

/**
 * Finds the caller of the administration interface: the bearer of an access token of one of its clients.
 *
 * @throws OAuthError `missing_token`, `invalid_token`, `insufficient_scope`, `invalid_request`, `too_many_requests`,
 * `invalid_token_proof`, `use_token_nonce`
 */
export async function authenticateCaller(
  request: PresentedTokenRequest,
  scope: AdministrationScope,
  deps: CallerDependencies,
): Promise<Caller> {
  const { token, client, scopes } = await authenticateAccessToken(request, deps, (found) => {
    const { resourceServer } = found;
    const isOfInterface = resourceServer.key === administrationKey && isBuiltIn(resourceServer);
    return isOfInterface && scopesFor(found, resourceServer) !== undefined;
  });
  const { id: tokenId, grant, expires } = token;
  const bearer = { client, access: { tokenId, scopes, expires }, source: request.head.source };
  const caller =
    grant === undefined
      ? clientCaller(bearer, await heldRights(client.id, deps.rights))
      : userCaller(grant, bearer);
  if (caller === undefined) throw new OAuthError('invalid_token');
  if (scopes.includes(scope)) return caller;
  throw new OAuthError('insufficient_scope', {
    scope,
    expected: scope,
    came: formatScope(scopes),
    description: `The access token lacks the scope ${scope}.`,
  });
}
