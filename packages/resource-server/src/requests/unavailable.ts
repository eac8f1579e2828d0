import { AuthorizationServerUnavailable } from '../errors.ts';
import type { Answer } from './send.ts';

/** The error of an answer that no endpoint gives in order. @param now epoch milliseconds */
export function unavailable(
  { status, retryAfter: header }: Pick<Answer, 'status' | 'retryAfter'>,
  now: number,
  detail = `it answered ${status}`,
): AuthorizationServerUnavailable {
  const retryAfter = retryAfterOf(header, now);
  if (status === 200) return new AuthorizationServerUnavailable('invalid_answer', { detail, retryAfter });
  if (status === 401) {
    return new AuthorizationServerUnavailable('credentials_refused', {
      detail: 'check key and secret',
      retryAfter,
    });
  }
  if (status === 429) return new AuthorizationServerUnavailable('rate_limited', { detail, retryAfter });
  if (status >= 500) return new AuthorizationServerUnavailable('server_error', { detail, retryAfter });
  // In browsers a redirect that is not followed has status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    return new AuthorizationServerUnavailable('redirected', { detail, retryAfter });
  }
  if (status === 404) {
    const advice = `${detail}: compare the address letter by letter, capitals and slashes count`;
    return new AuthorizationServerUnavailable('wrong_address', { detail: advice, retryAfter });
  }
  // A server with a loopback base URL answers for the hosts that it knows (RFC 9110 §15.5.20).
  const advice =
    status === 421
      ? 'it answered 421: name this host in allowedHosts of the server, or make it the baseUrl'
      : `it answered ${status}; check the address`;
  return new AuthorizationServerUnavailable('unexpected_answer', { detail: advice, retryAfter });
}

/** The error code in the body of an answer (RFC 6749 §5.2). */
export function errorOf(text: string | undefined): unknown {
  try {
    return Object(JSON.parse(text ?? '')).error;
  } catch {
    return undefined;
  }
}

/** Seconds that a server may ask to be left alone, so that a wrong header cannot shut an API down. */
export const longestPause = 60;

/**
 * Whole seconds of a `Retry-After` header (RFC 9110 §10.2.3), from 1 to 60; `undefined` if there is none that can be read.
 * @param now epoch milliseconds
 */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), longestPause);
}
