import { redirectUriOf } from '../base-url.ts';
import { authorizationUrl, clientId, type Grant, newState, readAnswer, urlSafe } from './authorization.ts';

export interface SilentSignIn {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly now: () => number;
}

/**
 * Gets a token by the login that the browser has at the server, and does not leave the page for it: the authorization code is in the address that
 * the request ends at, and only this page has the verifier (RFC 7636). `undefined`: the server has to ask the user something.
 */
export async function signInSilently({ baseUrl, issuer, now }: SilentSignIn): Promise<Grant | undefined> {
  const state = newState();
  const verifier = newState();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = urlSafe(new Uint8Array(digest));
  try {
    const answer = await fetch(authorizationUrl({ baseUrl, state, challenge }), { cache: 'no-store' });
    void answer.body?.cancel();
    const { searchParams } = new URL(answer.url);
    const code = searchParams.get('code');
    const isOwn = searchParams.get('state') === state && searchParams.get('iss') === issuer;
    if (code === null || !isOwn) return undefined;
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUriOf(baseUrl),
      client_id: clientId,
      code_verifier: verifier,
    };
    const issued = await fetch(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      credentials: 'omit',
      redirect: 'error',
    });
    if (!issued.ok) return undefined;
    const members: Readonly<Record<string, unknown>> = await issued.json();
    const parameters = new URLSearchParams({ iss: issuer });
    for (const name of ['access_token', 'token_type', 'expires_in', 'scope']) {
      if (members[name] !== undefined) parameters.set(name, String(members[name]));
    }
    const grant = readAnswer(parameters, issuer, now());
    return grant !== undefined && 'token' in grant ? grant : undefined;
  } catch {
    // The way through the address bar shows what is wrong.
    return undefined;
  }
}
