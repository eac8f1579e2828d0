import { type AuthenticationContext, type RedirectStep, randomText, sha256 } from '@watchword/protocol';
import type { OidcDependencies } from '../dependencies.ts';

/** The state of a login while the user is at the provider. It is sealed, and bound to the browser. */
export interface PendingLogin {
  readonly nonce: string;
  /** Code verifier (RFC 7636 §4.1). */
  readonly verifier: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** Seconds: `max_age` of the request; absent if any login is accepted. */
  readonly maxAge?: number;
}

/** The first step: an authentication request (OpenID Connect Core §3.1.2.1) with PKCE. @throws UpstreamError */
export async function begin(
  context: AuthenticationContext,
  { options, provider, services, addresses }: OidcDependencies,
): Promise<RedirectStep> {
  const { authorizationEndpoint } = await provider.metadata();
  const { random, clock } = services;
  const { maxAge } = context;
  const pending: PendingLogin = {
    nonce: randomText(random, 32),
    verifier: randomText(random, 32),
    askedAt: clock.now(),
    ...(maxAge !== undefined && { maxAge }),
  };
  const parameters = {
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: addresses.callback,
    scope: options.scopes.join(' '),
    ...(options.responseMode === 'form_post' && { response_mode: 'form_post' }),
    nonce: pending.nonce,
    code_challenge: sha256(pending.verifier).toString('base64url'),
    code_challenge_method: 'S256',
    ...passedOn(context),
  };
  return {
    type: 'redirect',
    brief: true,
    state: pending,
    location: (handle) => {
      const url = new URL(authorizationEndpoint);
      for (const [name, value] of Object.entries({ ...parameters, state: handle })) {
        url.searchParams.set(name, value);
      }
      return url.href;
    },
  };
}

/** What the client says of the login that it wants. */
function passedOn({
  maxAge,
  selectsAccount,
  loginHint,
  acrValues,
  uiLocales,
  display,
}: AuthenticationContext): Record<string, string> {
  const prompt = [...(maxAge === 0 ? ['login'] : []), ...(selectsAccount ? ['select_account'] : [])];
  return {
    ...(prompt.length > 0 && { prompt: prompt.join(' ') }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(loginHint !== undefined && loginHint !== '' && { login_hint: loginHint }),
    ...(acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
    ...(uiLocales.length > 0 && { ui_locales: uiLocales.join(' ') }),
    ...(display !== undefined && { display }),
  };
}
