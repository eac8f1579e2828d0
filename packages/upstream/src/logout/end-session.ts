import { type ModuleEndpoint, OAuthError, randomText, submitted } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { OidcDependencies } from '../dependencies.ts';
import type { LinkedSession } from '../login/session-link.ts';

// Milliseconds for which the user can be at the provider.
const lifetime = 600_000;

/** The URL at which the session at the provider ends too (OpenID Connect RP-Initiated Logout §2); `undefined` if it has none. */
export async function endSessionUrl(
  data: string,
  { options, provider, services, addresses }: OidcDependencies,
): Promise<string | undefined> {
  // Nobody waits for a provider to be signed out here.
  const endpoint = options.logout ? provider.known?.endSessionEndpoint : undefined;
  if (endpoint === undefined) return undefined;
  const { idToken, sid }: LinkedSession = JSON.parse(data);
  const state = randomText(services.random, 16);
  await services.oneTime.put(keyOf(state), '', services.clock.now() + lifetime);
  const url = new URL(endpoint);
  const parameters = {
    ...(idToken === undefined ? sid !== undefined && { logout_hint: sid } : { id_token_hint: idToken }),
    client_id: options.clientId,
    post_logout_redirect_uri: addresses.signedOut,
    state,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The browser returns from the provider. The server leads it on to the client that asked for the logout, or shows whether there is still a
 * session. It ends nothing, because any site can link to it.
 */
export function signedOutEndpoint({ services }: Pick<OidcDependencies, 'services'>): ModuleEndpoint {
  return {
    path: paths.signedOut,
    method: 'GET',
    async answer({ parameters }) {
      const state = submitted(parameters, 'state');
      if ((await services.oneTime.take(keyOf(state), services.clock.now())) !== undefined) {
        return { type: 'logout' };
      }
      throw new OAuthError('invalid_request', {
        description: 'The state is not one of a logout of this server, or was used before.',
        rule: 'valid_page',
        text: { key: 'upstream.stale' },
      });
    },
  };
}

function keyOf(state: string): string {
  return `oidc logout ${state}`;
}
