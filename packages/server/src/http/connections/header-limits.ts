import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { OAuthError } from '@watchword/protocol';

export const maxHeaderFields = 200;
const usualUriLimit = 8 * 1024;
/** Limit for an authorization request whose octets can all be percent-encoded, with the largest `id_token_hint` and the rest of the URI. */
export const authorizationUriLimit = 36 * 1024;
// A state that waits in cookies uses most of this.
export const maxCookieBytes = 20 * 1024;
export const maxOtherHeaderBytes = 16 * 1024;

// If a request has too many cookies, the server reads up to this size to remove them. A browser that begins many logins at
// once can collect so many.
const maxReadCookieBytes = 80 * 1024;

/** The limit of the HTTP parser. It is high enough for this file to reject each excess with its own error. */
export const maxHeadBytes = authorizationUriLimit + maxReadCookieBytes + maxOtherHeaderBytes;

/** The error of the head of a request, if any. @param uriLimit maximum length of the target in characters */
export function headerError(message: IncomingMessage, uriLimit = usualUriLimit): OAuthError | undefined {
  const { rawHeaders, url = '', method, headers } = message;
  if (url.length > uriLimit) {
    return new OAuthError('uri_too_long');
  }
  if (rawHeaders.length > maxHeaderFields * 2 || isTooLarge(rawHeaders)) {
    return new OAuthError('header_fields_too_large');
  }
  // Node.js silently keeps the first of two. A proxy in front may have used the other one.
  if (countOf('authorization', rawHeaders) > 1) {
    return new OAuthError('invalid_request', {
      description: 'There is more than one Authorization header. Send one.',
      rule: 'one_method',
    });
  }
  // RFC 9112 §3.2 asks for the field in HTTP/1.1 only. Probes of proxies use HTTP/1.0 without it.
  const hosts = countOf('host', rawHeaders);
  if (hosts > 1 || (hosts === 0 && message.httpVersion !== '1.0')) {
    return new OAuthError('invalid_request', {
      description: 'There must be one Host header; only HTTP/1.0 can leave it out.',
      rule: 'http_request',
    });
  }
  return (method === 'GET' || method === 'HEAD') && hasBody(headers)
    ? new OAuthError('body_too_large', { description: 'A GET request has no body here.' })
    : undefined;
}

function isTooLarge(rawHeaders: readonly string[]): boolean {
  let [cookies, others] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index] as string;
    const bytes = field.length + (rawHeaders[index + 1] as string).length;
    if (field.length === 6 && field.toLowerCase() === 'cookie') cookies += bytes;
    else others += bytes;
  }
  return cookies > maxCookieBytes || others > maxOtherHeaderBytes;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index] as string;
    if (field.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}

// The body of a GET would fill the memory without any use.
function hasBody(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}
