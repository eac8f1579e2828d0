import { named, OAuthError, shellCommand, withHidden } from '@watchword/protocol';

export function noResourceServer(key: string): OAuthError {
  return new OAuthError('not_found', {
    description: withHidden(
      'There is no resource server with this key; "watchword resource-server list" shows all.',
      key,
    ),
  });
}

export function noClient(clientId: string): OAuthError {
  return new OAuthError('not_found', {
    description: withHidden(
      'There is no client with this clientId; "watchword client list" shows all.',
      clientId,
    ),
  });
}

export function noOtherClient(key: string, clientId: string): OAuthError {
  return new OAuthError('not_found', {
    description: withHidden(
      `No client of another resource server with this clientId can use ${named(key)}; "${shellCommand('watchword resource-server other-clients {name}', { name: key })}" shows all.`,
      clientId,
    ),
  });
}

export function noAccount(username: string): OAuthError {
  return new OAuthError('not_found', {
    description: `There is no account with the username ${named(username)}; "watchword user list" shows all.`,
  });
}

/** @throws OAuthError `not_found` */
export function identityProviderNamed<Found extends { readonly identityProvider: string }>(
  name: string,
  all: readonly Found[],
): Found {
  const found = all.find(({ identityProvider }) => identityProvider === name);
  if (found !== undefined) return found;
  throw new OAuthError('not_found', {
    description: withHidden(
      'No user has a login session, grant or consent of an identity provider with this name; "watchword identity-provider list" shows the names.',
      name,
    ),
  });
}
