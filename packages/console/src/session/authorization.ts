import { redirectUriOf } from '../base-url.ts';

/** The `client_id` with which `watchword bootstrap` and the server register this application. */
export const clientId = 'authorization-server-admin-js-client';

export interface AuthorizationRequest {
  readonly baseUrl: string;
  readonly state: string;
  /** Asks the resource owner again, even if the consent is remembered, because they can grant more scopes this time. */
  readonly askAgain?: boolean;
  /** Asks for a login that is not older than so many seconds. */
  readonly maxAge?: number | undefined;
  /** Asks for a code with this PKCE challenge instead of a token. */
  readonly challenge?: string | undefined;
  /** Asks nothing of the user. The answer is in the query, where a script can read it. */
  readonly isSilent?: boolean;
}

/** The address at which the browser requests a token (RFC 6749 §4.2.1), or a code (§4.1.1). Both come back in the fragment. */
export function authorizationUrl({
  baseUrl,
  state,
  askAgain = false,
  maxAge,
  challenge,
  isSilent = false,
}: AuthorizationRequest): string {
  const parameters = new URLSearchParams({
    response_type: challenge === undefined ? 'token' : 'code',
    client_id: clientId,
    redirect_uri: redirectUriOf(baseUrl),
    scope: 'read write',
    state,
    ...(askAgain && { prompt: 'consent' }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(isSilent && { prompt: 'none' }),
    ...(challenge !== undefined && {
      ...(!isSilent && { response_mode: 'fragment' }),
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  });
  return `${baseUrl}/authorize?${parameters}`;
}

/** 256 random bits. */
export function newState(): string {
  return urlSafe(crypto.getRandomValues(new Uint8Array(32)));
}

/** Base64 for addresses, without padding (RFC 4648 §5). */
export function urlSafe(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** An issued token. It is never stored. */
export interface Grant {
  readonly token: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds; 0 = never. */
  readonly expires: number;
}

/** An error of the authorization endpoint. */
export interface AuthorizationError {
  /** The code of RFC 6749 §4.2.2.1. */
  readonly error: string;
  readonly description: string;
}

/**
 * Reads an answer whose `state` is known. An answer of another authorization server is ignored (RFC 9207).
 * Nothing else of the answer is used. The principal of the token is requested from the server, and never read from the address.
 */
export function readAnswer(
  parameters: URLSearchParams,
  issuer: string,
  now: number,
): Grant | AuthorizationError | undefined {
  if (parameters.get('iss') !== issuer) return undefined;
  const error = parameters.get('error');
  if (error !== null) return { error, description: parameters.get('error_description') ?? '' };
  const token = parameters.get('access_token');
  const seconds = Number(parameters.get('expires_in') ?? Number.NaN);
  const isBearer = parameters.get('token_type')?.toLowerCase() === 'bearer';
  if (token === null || token === '' || !isBearer || !(seconds >= 0)) return undefined;
  return {
    token,
    scopes: (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== ''),
    expires: seconds === 0 ? 0 : now + seconds * 1000,
  };
}
