import type { RevocationsEndpoint } from '@watchword/protocol';
import type { CallerRequests } from './credentialed-request.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpRequest } from './request.ts';

// Seconds.
const longestWait = 30;

/** `GET /oauth2/revocations`: the revocation feed (docs/revocation-feed.md). */
export function revocationsRoute(answer: RevocationsEndpoint, requests: CallerRequests): Endpoint {
  return {
    path: '/oauth2/revocations',
    methods: {
      async GET(request) {
        const { cursor, list } = await answer(requests.head(request), {
          since: entityTag(request),
          wait: preferredWait(request) * 1000,
        });
        return {
          status: list === undefined ? 304 : 200,
          headers: { etag: `"${cursor}"`, ...(list !== undefined && { 'content-type': 'application/jwt' }) },
          body: list,
          caching: 'private, no-cache',
        };
      },
    },
  };
}

/** The one entity tag of `If-None-Match` (RFC 9110 §13.1.2), which a proxy can have made a weak one. */
function entityTag({ headers }: HttpRequest): string | undefined {
  return /^\s*(?:W\/)?"([\x21\x23-\x7e]*)"\s*$/.exec(headers['if-none-match'] ?? '')?.[1];
}

/** Seconds that the caller prefers to wait for a change (RFC 7240 §4.3). HEAD never waits. */
function preferredWait({ headers, method }: HttpRequest): number {
  if (method !== 'GET') return 0;
  const prefer = [headers.prefer ?? []].flat().join(',');
  const [, seconds = '0'] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
  return Math.min(Number(seconds), longestWait);
}
