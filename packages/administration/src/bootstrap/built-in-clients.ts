import {
  type Client,
  clientDefaults,
  commandLineRedirectUri,
  isPublicClient,
  type NewClient,
  type ResourceServer,
} from '@watchword/protocol';

// An administrator's login is valid at the pages for an hour, and so is the token: access ends two hours after the last login.
const tokenLifetime = 3600;

/** What both clients of the administration interface have in common. The rules of a registration are not applied to them. */
function builtInClient({ id, scopes }: ResourceServer) {
  return {
    ...clientDefaults,
    contactName: 'Operator',
    resourceServerId: id,
    scopes,
    confidential: false,
    // An administrator who only wants to read can leave out the scope write.
    skipConsent: false,
    trusted: true,
    keepsUserData: false,
    secret: undefined,
    tokensValidFrom: 0,
    expireDuration: tokenLifetime,
  };
}

/** If the rules of a registration would reject the redirect URI, the log has a warning at the start. */
export function pagesClient(
  resourceServer: ResourceServer,
  redirectUri: string,
  allowedImplicitGrant = true,
): NewClient {
  return {
    ...builtInClient(resourceServer),
    clientName: 'Administration',
    description: 'The pages on which this authorization server is administered.',
    redirectUris: [redirectUri],
    allowedImplicitGrant,
    // The pages ask the server for the principal, and do not read it from the address.
    includePrincipal: false,
  };
}

/** Any program of a machine can listen at a loopback port, so users are always asked (RFC 8252 §8.6). */
export function commandLineClient(resourceServer: ResourceServer): NewClient {
  return {
    ...builtInClient(resourceServer),
    clientName: 'Administration by command line',
    description: 'The command "watchword login" on the machine of an administrator.',
    redirectUris: [commandLineRedirectUri],
    useRefreshTokens: true,
  };
}

/** Whether it is what the server registers, and no client that an administrator gave this name in an earlier release. */
export function isCommandLineClient(client: Client): boolean {
  return isPublicClient(client) && client.redirectUris.every((uri) => uri === commandLineRedirectUri);
}
