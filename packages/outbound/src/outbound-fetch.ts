import type { IncomingMessage } from 'node:http';
import { type OutboundAnswer, readAnswer } from './answer.ts';
import { checkedAddresses, type Resolve, systemResolve } from './checked-addresses.ts';
import { checkedUrl } from './checked-url.ts';
import { Deadline, type Timeouts } from './deadline.ts';
import { exchange, type Message } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';
import { redirectedHeaders, requestHeaders } from './request-headers.ts';

/** How much time and memory one request can take. */
export interface OutboundLimits extends Timeouts {
  /** Bytes of the answer's body, unpacked. */
  readonly maxBytes: number;
}

export const defaultLimits: OutboundLimits = { maxBytes: 1_000_000, answerTimeout: 5_000, timeout: 10_000 };

/** Where requests can go. An operator decides this once; no single request can widen it. */
export interface OutboundPolicy {
  /**
   * Permits addresses that are not on the public internet: of every host, or of the listed ones only. An entry is a host name
   * or an IP address in the form of a URL, with `:port` for that port only. Default: `false`.
   */
  readonly allowPrivateAddresses?: boolean | readonly string[];
  /** Permits `http:` in addition to `https:`. Default: `false`. */
  readonly allowHttp?: boolean;
  /** How many redirects a GET request follows; each is checked like the first URL. Default: 0. */
  readonly maxRedirects?: number;
  /** Returns a redirect as an answer, with its status and `Location`, for a caller that examines it. Default: `false`. */
  readonly returnRedirects?: boolean;
  /** PEM. The only certificate authorities that are trusted; default: those of Node.js. */
  readonly certificateAuthorities?: readonly string[];
  /** How a host name becomes addresses; default: by the operating system. */
  readonly resolve?: Resolve;
}

export interface OutboundRequest extends Partial<OutboundLimits> {
  /** Default: `GET`, or `POST` with a body. */
  readonly method?: Message['method'];
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. Name its type by the header `content-type`. */
  readonly body?: string | Uint8Array;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** Sends a request. @throws OutboundError */
export type OutboundFetch = (url: string | URL, request?: OutboundRequest) => Promise<OutboundAnswer>;

/**
 * Makes a function that sends requests to URLs that third parties chose (a redirect URI's sector, a logout URI, a webhook,
 * the metadata of an identity provider) without server-side request forgery: a host is resolved once, all of its addresses
 * are checked, and the connection goes to one of exactly these addresses.
 */
export function createOutboundFetch(policy: OutboundPolicy = {}): OutboundFetch {
  return async (url, request = {}) => {
    const message = messageOf(checkedUrl(url, policy.allowHttp === true), request);
    const { maxBytes, answerTimeout, timeout } = { ...defaultLimits, ...request };
    const deadline = new Deadline(message.url.host, { answerTimeout, timeout }, request.signal);
    try {
      const [answering, answer] = await follow(message, policy, deadline);
      deadline.answered();
      return readAnswer(answering, answer, maxBytes, deadline);
    } catch (error) {
      deadline.end();
      throw error;
    }
  };
}

/** Resolves with the first answer that is not a redirect, and with its URL. */
async function follow(
  first: Message,
  {
    allowPrivateAddresses = false,
    certificateAuthorities,
    maxRedirects = 0,
    resolve = systemResolve,
    returnRedirects = false,
  }: OutboundPolicy,
  deadline: Deadline,
): Promise<readonly [URL, IncomingMessage]> {
  let message = first;
  for (let redirectsLeft = maxRedirects; ; redirectsLeft -= 1) {
    const permitsPrivate = permits(allowPrivateAddresses, message.url);
    const addresses = await deadline.race(checkedAddresses(message.url, permitsPrivate, resolve));
    const answer = await exchange(message, addresses, certificateAuthorities, deadline);
    const next = returnRedirects ? undefined : redirected(message, answer, redirectsLeft);
    if (next === undefined) return [message.url, answer];
    answer.destroy();
    message = next;
  }
}

function permits(allowed: boolean | readonly string[], { host, hostname }: URL): boolean {
  if (typeof allowed === 'boolean') return allowed;
  return allowed.some((entry) => [host, hostname].includes(entry.toLowerCase()));
}

function messageOf(url: URL, { method, headers = {}, body }: OutboundRequest): Message {
  if (body !== undefined && method !== undefined && method !== 'POST') {
    throw new TypeError(`a ${method} request has no body`);
  }
  return {
    url,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: requestHeaders(headers),
    body: typeof body === 'string' ? Buffer.from(body) : body,
  };
}

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * The request that an answer redirects to; `undefined` when the answer is not a redirect. A POST request is not redirected,
 * because its body is for the first server, and neither is a request from https to http.
 *
 * @throws OutboundError `redirect`, `invalid-url`
 */
function redirected(
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
