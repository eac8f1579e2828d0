import type { IncomingMessage } from 'node:http';
import { checkedUrl } from './checked-url.ts';
import type { Message } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';
import { redirectedHeaders } from './request-headers.ts';

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * The request that an answer redirects to; `undefined` when the answer is not a redirect. A POST request is not redirected,
 * because its body is for the first server, and neither is a request from https to http.
 *
 * @throws OutboundError `redirect`, `invalid-url`
 */
export function redirected(
  message: Message,
  { statusCode = 0, headers: { location } }: IncomingMessage,
  redirectsLeft: number,
): Message | undefined {
  if (!redirects.has(statusCode)) return undefined;
  const { url, method } = message;
  const answered = `${url.host} answered with a redirect (status ${statusCode})`;
  if (method !== 'GET')
    throw new OutboundError('redirect', `${answered}; a ${method} request is not redirected`);
  if (redirectsLeft === 0) throw new OutboundError('redirect', `${answered} that is not followed`);
  const target = location === undefined ? null : URL.parse(location, url);
  if (target === null) throw new OutboundError('redirect', `${answered} without a valid Location`);
  const next = checkedUrl(target, url.protocol === 'http:');
  return { ...message, url: next, headers: redirectedHeaders(message.headers, url, next) };
}
