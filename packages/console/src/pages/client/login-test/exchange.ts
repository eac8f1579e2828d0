import type { Client } from '@watchword/admin-client';
import type { TestRequest } from './request.ts';

export type Members = Readonly<Record<string, unknown>>;

/** What the token endpoint and the userinfo endpoint have answered. */
export interface TestResult {
  readonly tokens: Members;
  /** Absent if the token endpoint answered with an error. */
  readonly userinfo?: Members;
}

/** A finished test. */
export interface TestRun {
  readonly request: TestRequest;
  readonly answer: URLSearchParams;
  /** Absent if the answer has no code for this request. */
  readonly result?: TestResult;
}

export interface TestClient extends Pick<Client, 'clientId' | 'confidential' | 'tokenEndpointAuthMethod'> {
  readonly baseUrl: string;
  /** As the administrator has typed it; it is sent to the token endpoint and kept nowhere. */
  readonly secret: string;
}

/** Redeems the code, reads userinfo, and revokes the tokens: the test leaves no access behind. */
export async function exchange(
  client: TestClient,
  code: string,
  { codeVerifier, redirectUri }: TestRequest,
): Promise<TestResult> {
  const { baseUrl } = client;
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  };
  const tokens = await json(await post(client, '/oauth2/token', grant));
  const { access_token: accessToken, refresh_token: refreshToken } = tokens;
  if (typeof accessToken !== 'string') return { tokens };
  try {
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await fetch(`${baseUrl}/oauth2/userinfo`, { headers, credentials: 'omit' });
    const isSigned = answer.headers.get('content-type')?.startsWith('application/jwt') === true;
    return { tokens, userinfo: isSigned ? claimsOf(await answer.text()) : await json(answer) };
  } finally {
    const token = typeof refreshToken === 'string' ? refreshToken : accessToken;
    await post(client, '/oauth2/revoke', { token });
  }
}

function post(
  { baseUrl, clientId, confidential, tokenEndpointAuthMethod, secret }: TestClient,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const byBasic = confidential && tokenEndpointAuthMethod !== 'client_secret_post';
  const inBody = { client_id: clientId, ...(confidential && { client_secret: secret }) };
  const body = new URLSearchParams(byBasic ? fields : { ...fields, ...inBody });
  // RFC 6749 §2.3.1: both parts are form-encoded first.
  const basic = `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(secret)}`)}`;
  const headers: Record<string, string> = byBasic ? { authorization: basic } : {};
  return fetch(`${baseUrl}${path}`, { method: 'POST', body, headers, credentials: 'omit' });
}

function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}

async function json(answer: Response): Promise<Members> {
  const value: unknown = await answer.json();
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

/** The claims of a JWT that came from this server over this connection. No application may read them without a check. */
export function claimsOf(jwt: string): Members {
  return part(jwt, 1);
}

export function headerOf(jwt: string): Members {
  return part(jwt, 0);
}

function part(jwt: string, index: number): Members {
  const text = (jwt.split('.')[index] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Members;
}
