import type { Client } from '@watchword/admin-client';

type Grants = Pick<
  Client,
  'allowedClientCredentials' | 'allowedImplicitGrant' | 'redirectUris' | 'useRefreshTokens'
>;

/** In what ways a client may get tokens. */
export function grantsOf(client: Grants): readonly string[] {
  const hasRedirectUri = client.redirectUris.length > 0;
  return [
    ...(client.allowedClientCredentials ? ['client credentials'] : []),
    ...(hasRedirectUri ? ['authorization code'] : []),
    ...(hasRedirectUri && client.useRefreshTokens ? ['refresh token'] : []),
    ...(client.allowedImplicitGrant ? ['implicit'] : []),
  ];
}
