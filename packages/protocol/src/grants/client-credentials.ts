import { type Client, isPublicClient } from '../model/client.ts';
import { grantScopes } from '../rules/scope.ts';
import type { AccessTokenIssuer } from '../tokens/issue-access-token.ts';
import type { GrantType } from './grant-type.ts';

/** The client acts on its own behalf (RFC 6749 §4.4): confidential clients only, never a refresh token. */
export function clientCredentialsGrant(issueAccessToken: AccessTokenIssuer): GrantType {
  return {
    type: 'client_credentials',
    isAllowedFor: (client: Client) => client.allowedClientCredentials && !isPublicClient(client),
    issue: ({ client, requestedScopes }) =>
      issueAccessToken(client, grantScopes(requestedScopes, client.scopes)),
  };
}
