import { redirectUriOf } from '../base-url.ts';
import { clientId, newState, urlSafe } from './authorization.ts';

/** What the page sends and keeps of PKCE (RFC 7636). */
export interface Proof {
  readonly verifier: string;
  readonly challenge: string;
}

export async function newProof(): Promise<Proof> {
  const verifier = newState();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: urlSafe(new Uint8Array(digest)) };
}

/** Of an answer with a code, the answer with the token of the code, or with the error of the token endpoint. */
export async function redeemed(
  answer: URLSearchParams,
  verifier: string,
  baseUrl: string,
): Promise<URLSearchParams> {
  const issued = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: redirectUriOf(baseUrl),
      client_id: clientId,
      code_verifier: verifier,
    }),
    credentials: 'omit',
    redirect: 'error',
  });
  const members: Readonly<Record<string, unknown>> = await issued.json();
  const parameters = new URLSearchParams({ iss: answer.get('iss') ?? '', state: answer.get('state') ?? '' });
  for (const name of ['access_token', 'token_type', 'expires_in', 'scope', 'error', 'error_description']) {
    if (members[name] !== undefined) parameters.set(name, String(members[name]));
  }
  return parameters;
}
