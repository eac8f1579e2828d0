import { OAuthError, protocolErrors } from '../model/errors.ts';
import { describable } from '../rules/describable.ts';

export type ResponseType = 'code' | 'token';

/** Where the answer to an authorization request goes, and how. */
export interface ResponseTarget {
  readonly redirectUri: string;
  /** `code` answers in the query, `token` in the fragment. */
  readonly responseType: ResponseType;
  readonly state?: string;
}

/** A refusal that the client is told through the browser (RFC 6749 §4.1.2.1, §4.2.2.1). */
export class RedirectedError extends Error {
  override readonly name = 'RedirectedError';
  readonly target: ResponseTarget;
  readonly error: OAuthError;
  /** Nobody need see it first: somebody is logged in, or the client forbids to ask. */
  readonly goesAtOnce: boolean;

  constructor(target: ResponseTarget, error: OAuthError, goesAtOnce = false) {
    super(error.message, { cause: error });
    this.target = target;
    this.error = error;
    this.goesAtOnce = goesAtOnce;
  }
}

/** A refusal of a valid request, by what is known of the person. */
export function requestRefusal(
  target: ResponseTarget,
  kind: 'login_required' | 'consent_required' | 'access_denied',
): RedirectedError {
  return new RedirectedError(target, new OAuthError(kind), true);
}

/** The URI that answers the client: its own, with the parameters, the state and the issuer (RFC 9207 §2). */
export function responseUri(
  { redirectUri, responseType, state }: ResponseTarget,
  parameters: Readonly<Record<string, string>>,
  issuer: string,
): string {
  const all = Object.entries({ ...parameters, ...(state !== undefined && { state }), iss: issuer });
  const encoded = all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  if (responseType === 'token') return `${redirectUri}#${encoded}`;
  if (!redirectUri.includes('?')) return `${redirectUri}?${encoded}`;
  return /[?&]$/.test(redirectUri) ? redirectUri + encoded : `${redirectUri}&${encoded}`;
}

export function errorResponseUri({ target, error }: RedirectedError, issuer: string): string {
  const { error: code } = protocolErrors[error.kind];
  return responseUri(target, { error: code, error_description: describable(error.message) }, issuer);
}
