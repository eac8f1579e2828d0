import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { OAuthError } from '@watchword/protocol';

const maxHeaderFields = 200;
const usualUriLimit = 8 * 1024;
/** Of an authorization request, every octet of which may be percent-encoded, with all that is around it. */
export const authorizationUriLimit = 20 * 1024;
// A state that waits in cookies takes most of what they may have.
const maxCookieBytes = 20 * 1024;
const maxOtherHeaderBytes = 16 * 1024;

// Of a request with too many cookies, those that are read to remove them: what a browser can gather that begins many logins
// at once.
const maxReadCookieBytes = 80 * 1024;

/** What the HTTP parser has to let through, so that too much of something is refused here, for what it is. */
export const maxHeadBytes = authorizationUriLimit + maxReadCookieBytes + maxOtherHeaderBytes;

/** What is wrong with the head of a request. @param uriLimit characters that its target can have, if not as usual */
export function headerError(message: IncomingMessage, uriLimit = usualUriLimit): OAuthError | undefined {
  const { rawHeaders, url = '', method, headers } = message;
  if (url.length > uriLimit) {
    return new OAuthError('uri_too_long');
  }
  if (rawHeaders.length > maxHeaderFields * 2 || isTooLarge(rawHeaders)) {
    return new OAuthError('header_fields_too_large');
  }
  // Node.js keeps the first of two and says nothing; which one a proxy in front believed is unknown.
  if (countOf('authorization', rawHeaders) > 1) {
    return new OAuthError('invalid_request', { description: 'There is more than one Authorization header.' });
  }
  // RFC 9112 §3.2.
  if (countOf('host', rawHeaders) !== 1) {
    return new OAuthError('invalid_request', { description: 'There must be one Host header.' });
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

// What follows a GET would be read and kept by nobody but the memory.
function hasBody(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}
