import type { Client } from '@watchword/admin-client';
import { t } from '../../texts/texts.ts';

type Grants = Pick<
  Client,
  'allowedClientCredentials' | 'allowedHybrid' | 'allowedImplicitGrant' | 'redirectUris' | 'useRefreshTokens'
>;

/** In what ways a client may get tokens. */
export function grantsOf(client: Grants): readonly string[] {
  const hasRedirectUri = client.redirectUris.length > 0;
  return [
    ...(client.allowedClientCredentials ? [t('grantType.client_credentials')] : []),
    ...(hasRedirectUri ? [t('grantType.authorization_code')] : []),
    ...(hasRedirectUri && client.useRefreshTokens ? [t('grantType.refresh_token')] : []),
    ...(client.allowedImplicitGrant ? [t('grantType.implicit')] : []),
    ...(client.allowedHybrid ? [t('grantType.hybrid')] : []),
  ];
}
