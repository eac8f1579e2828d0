import type { IncomingHttpHeaders } from 'node:http';
import { createOutboundFetch, type OutboundRequest } from '@watchword/outbound';
import type { Clock } from '@watchword/protocol';
import { version } from '@watchword/server/version';

/** A complete answer. */
export interface Reply {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Epoch milliseconds, before the request was sent and after its answer had arrived. */
  readonly sent: number;
  readonly received: number;
}

export type Form = Readonly<Record<string, string>>;

export interface Sending extends Pick<OutboundRequest, 'method' | 'headers'> {
  /** Of the answer; default 2,000,000. */
  readonly maxBytes?: number;
  /** Sent as a form. */
  readonly form?: Form | URLSearchParams;
}

/** Sends one request and reads the whole answer, within limits of time and size. @throws OutboundError */
export type Send = (url: string, sending?: Sending) => Promise<Reply>;

const limits = { maxBytes: 2_000_000, answerTimeout: 5_000, timeout: 8_000 };

/** For URLs of the server itself, which can be in a private network. A redirect is an answer, and nothing follows it. */
export function sender(clock: Clock): Send {
  const fetch = createOutboundFetch({ allowHttp: true, allowPrivateAddresses: true, returnRedirects: true });
  return async (url, { method, headers = {}, form, maxBytes = limits.maxBytes } = {}) => {
    const sent = clock.now();
    const answer = await fetch(url, {
      ...limits,
      maxBytes,
      ...(method && { method }),
      headers: {
        'user-agent': `watchword-doctor/${version}`,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    const text = await answer.text();
    return {
      url: answer.url,
      status: answer.status,
      headers: answer.headers,
      text,
      sent,
      received: clock.now(),
    };
  };
}

/** The members of a JSON object; none for any other answer. */
export function jsonOf({ text }: Pick<Reply, 'text'>): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : {};
  } catch {
    return {};
  }
}

/** Whether a Watchword server answered with an error of its own, and not a proxy or another server. */
export function isOwnError(reply: Reply): boolean {
  const { status, headers, text } = reply;
  const id = String(headers['x-request-id'] ?? '');
  if (status < 400 || id === '') return false;
  // The id can be that of a trusted proxy, which then also has it in an error of its own. The error pages of the server show it.
  const isMade = /^[0-9a-f]{10}-[0-9a-z]+$/.test(id);
  return isMade || typeof jsonOf(reply).error_description === 'string' || text.includes(id);
}

/** What came, for a finding: the status, the place of a redirect, and the error code of OAuth. Never a query. */
export function shownReply(reply: Reply): string {
  const { status, headers, url } = reply;
  const target = headers.location === undefined ? null : URL.parse(headers.location, url);
  const { error, error_description: description } = jsonOf(reply);
  return [
    `status ${status}`,
    ...(target === null ? [] : [`a redirect to ${target.origin}${target.pathname}`]),
    ...(typeof error === 'string' ? [`error ${error}`] : []),
    ...(typeof description === 'string' ? [`"${description.slice(0, 300)}"`] : []),
  ].join(', ');
}
