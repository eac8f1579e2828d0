import { type AnswerHeaders, nonceHeader } from './answer.ts';
import type { Handler, OriginCheck } from './endpoint.ts';
import { requestIdHeader } from './request-ids.ts';

// Seconds for which a browser can cache a preflight.
const maxAge = '600';
const usualFields = 'authorization, content-type, dpop';
// What scripts of every origin can read has no secrets, so a script can send any field. The wildcard does not cover
// `Authorization`, and older browsers do not know it (Fetch standard, CORS protocol and HTTP caches).
const everyField = `${usualFields}, mcp-protocol-version, *`;
const exposed = {
  'access-control-expose-headers': [requestIdHeader, nonceHeader, 'www-authenticate'].join(', '),
};

/**
 * Header fields that allow scripts of an origin to read the answer, without credentials (Fetch standard, CORS protocol).
 *
 * @returns `undefined` for a request without an origin
 */
export function corsHeaders(isAllowed: OriginCheck, origin: string | undefined): AnswerHeaders | undefined {
  // The same for all origins, so that shared caches can keep the answer.
  if (isAllowed === 'every') return { 'access-control-allow-origin': '*', ...exposed };
  if (origin === undefined) return undefined;
  return isAllowed(origin)
    ? { vary: 'Origin', 'access-control-allow-origin': origin, ...exposed }
    : { vary: 'Origin' };
}

/** Answers `OPTIONS` with the methods and headers that a script of an allowed origin can send. */
export function preflight(methods: readonly string[], isAllowed: OriginCheck): Handler {
  const allowed = {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': isAllowed === 'every' ? everyField : usualFields,
    'access-control-max-age': maxAge,
  };
  return ({ headers: { origin } }) => ({
    status: 204,
    headers: corsHeaders(isAllowed, origin)?.['access-control-allow-origin'] === undefined ? {} : allowed,
  });
}
