import { shown } from '@watchword/protocol';
import type { OidcDependencies } from '../dependencies.ts';
import { jsonObject, type ProviderAnswer } from '../provider/requests.ts';
import { UpstreamError } from '../upstream-error.ts';
import { clientAuthentication } from './client-authentication.ts';

/** A token response (OpenID Connect Core §3.1.3.3). */
export interface TokenResponse {
  readonly accessToken: string;
  /** `''` of a provider without ID tokens. */
  readonly idToken: string;
}

/** Redeems a code at the token endpoint. @throws UpstreamError `unreachable`, `client`, `code`, `token` */
export async function redeemCode(
  code: string,
  verifier: string,
  { options, provider, services, addresses }: OidcDependencies,
): Promise<TokenResponse> {
  const metadata = await provider.metadata();
  const { headers, parameters } = await clientAuthentication(options, metadata, services.clock.now());
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: addresses.callback,
    code_verifier: verifier,
    ...parameters,
  });
  const answer = await provider.ask(metadata.tokenEndpoint, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: body.toString(),
  });
  return tokensOf(answer, options.preset !== 'github');
}

function tokensOf({ status, text }: ProviderAnswer, isOpenid: boolean): TokenResponse {
  const members = jsonObject(text);
  // GitHub answers errors with status 200.
  if (status !== 200 || members?.error !== undefined) throw refusal(status, members?.error);
  const { access_token: accessToken, token_type: type, id_token: idToken } = members ?? {};
  if (typeof accessToken !== 'string' || accessToken === '' || String(type).toLowerCase() !== 'bearer') {
    throw new UpstreamError('token', 'expected an access_token of type Bearer from the token endpoint');
  }
  if (!isOpenid) return { accessToken, idToken: '' };
  if (typeof idToken !== 'string' || idToken === '') {
    throw new UpstreamError(
      'token',
      'expected an id_token from the token endpoint; is openid one of the scopes?',
    );
  }
  return { accessToken, idToken };
}

function refusal(status: number, error: unknown): UpstreamError {
  const detail = `the token endpoint answered with status ${status} and the error ${shown(String(error ?? 'none'), 100)}`;
  if (error === 'invalid_grant' || error === 'bad_verification_code')
    return new UpstreamError('code', detail);
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return new UpstreamError(
      'client',
      `${detail}: check clientId, its secret or key, and the redirect URI there`,
    );
  }
  return new UpstreamError(status >= 500 || status === 429 ? 'unreachable' : 'client', detail);
}
