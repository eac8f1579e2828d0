import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import type { FastifyRequest } from 'fastify';

const maxHeaderFields = 200;
const maxUriLength = 8 * 1024;

/** What is wrong with the head of a request, whatever its address. */
export function headerFault({ raw }: FastifyRequest): OAuthError | undefined {
  const { rawHeaders, url = '', method } = raw;
  if (url.length > maxUriLength) return new OAuthError('uri_too_long');
  if (rawHeaders.length > maxHeaderFields * 2) return new OAuthError('header_fields_too_large');
  // Node.js keeps the first of two and says nothing; which one a proxy in front believed is unknown.
  if (countOf('authorization', rawHeaders) > 1) {
    return new OAuthError('invalid_request', { description: 'There is more than one Authorization header.' });
  }
  // RFC 9112 §3.2.
  if (countOf('host', rawHeaders) !== 1) {
    return new OAuthError('invalid_request', { description: 'There must be one Host header.' });
  }
  return (method === 'GET' || method === 'HEAD') && hasBody(raw.headers)
    ? new OAuthError('body_too_large', { description: 'A GET request has no body here.' })
    : undefined;
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
