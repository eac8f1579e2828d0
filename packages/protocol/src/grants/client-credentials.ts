import { type Client, isPublicClient } from '../model/records/client.ts';
import type { AccessTokenIssuer } from '../tokens/issue-access-token.ts';
import type { GrantType } from './grant-type.ts';

/** The client acts for itself (RFC 6749 §4.4). Only confidential clients can, and they get no refresh token. */
export function clientCredentialsGrant(issueAccessToken: AccessTokenIssuer): GrantType<void, Client> {
  return {
    type: 'client_credentials',
    takesScope: true,
    choosesResources: true,
    rule: 'allowed_client_credentials',
    isAllowedFor: (client) => client.allowedClientCredentials && !isPublicClient(client),
    read() {},
    check: (_, client) => client,
    issue: issueAccessToken,
  };
}
