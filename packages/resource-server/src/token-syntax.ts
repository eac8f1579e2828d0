// The server issues none that is longer. With the other headers it fits into the 16 KiB that Node.js accepts.
const longest = 14_336;
const token = /^[\w.~+/-]+=*$/;
const header = /^(?:(bearer)|dpop) +([\w.~+/-]+=*) *$/i;
const scheme = /^(?:bearer|dpop)(?: |$)/i;

/** Whether a value can be an access token (`b64token` of RFC 6750 §2.1) with a usual length. */
export function isTokenSyntax(value: unknown): value is string {
  return isTokenLength(value) && token.test(value);
}

/** Whether a value is a text with a usual length. */
export function isTokenLength(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longest;
}

/** A token as a request has it. */
export interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

/**
 * Reads an `Authorization` header. The scheme is case-insensitive (RFC 9110 §11.1); any other scheme is as good as no
 * token. Where a runtime joins repeated headers with a comma, the result is malformed.
 */
export function readAuthorization(value: string): PresentedToken | 'missing' | 'malformed' {
  const [, bearer, token] = header.exec(value) ?? [];
  if (token !== undefined) return { scheme: bearer === undefined ? 'DPoP' : 'Bearer', token };
  return scheme.test(value) ? 'malformed' : 'missing';
}
