import { named, OAuthError, shown, withHidden } from '@watchword/protocol';
import type { GrantTools } from './administration.ts';

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

export function noAccount(username: string): OAuthError {
  return new OAuthError('not_found', {
    description: `There is no account with the username ${named(username)}; "watchword user list" shows all.`,
  });
}

/** An end of nothing would look as if a person had lost access. @throws OAuthError `not_found` if nobody with the subject has access */
export async function checkSubject(grants: GrantTools, subject: string | undefined): Promise<void> {
  if (subject === undefined) return;
  const everyone = {
    client: undefined,
    resourceServer: undefined,
    since: undefined,
    resourceOwner: undefined,
  };
  const { rows } = await grants.list({ ...everyone, subject, limit: 1 });
  // Over the network, an empty subject is a parameter without a value, and lists all.
  if (subject !== '' && rows.length > 0) return;
  throw new OAuthError('not_found', {
    description: `There is no grant and no remembered consent of the subject ${shown(subject, 80)}, so nothing ends. A subject is not a name: "watchword grant list --resource-owner <name>" shows the grants of a person, and "watchword grant show <id>" the subject.`,
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
