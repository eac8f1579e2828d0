import { OAuthError } from '@watchword/protocol';

export function noResourceServer(): OAuthError {
  return new OAuthError('not_found', {
    description: 'There is no resource server with this key; "watchword resource-server list" names them.',
  });
}

export function noClient(): OAuthError {
  return new OAuthError('not_found', {
    description: 'There is no client with this clientId; "watchword client list" names them.',
  });
}
