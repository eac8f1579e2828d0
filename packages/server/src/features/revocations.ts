import {
  RecentRevocations,
  type RevocationsEndpoint,
  revocationsEndpoint,
  WholeRevocations,
} from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { CallerRequests } from '../http/credentialed-request.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { HttpRequest } from '../http/request.ts';
import { PolledRevocationWaits } from '../runtime/revocation-waits.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  'authentication' | 'baseUrl' | 'clock' | 'inFlight' | 'metrics' | 'requests' | 'signing' | 'store'
>;

/** The revocation feed: what resource servers must know that verify JWT access tokens themselves. */
export function revocations({
  authentication,
  baseUrl,
  clock,
  inFlight,
  metrics,
  requests,
  signing,
  store,
}: Parts): Feature {
  const recent = new RecentRevocations(store.revocations, clock);
  const waits = new PolledRevocationWaits(() => recent.refresh());
  inFlight.whenClosing(() => waits.close());
  metrics.observeWaitingForRevocations(() => waits.size);
  const answer = revocationsEndpoint({
    ...authentication,
    clock,
    recent,
    whole: new WholeRevocations(store.revocations, recent, { registry: store.registry, clock }),
    waits,
    signer: signing.signer,
    issuer: baseUrl,
    revokedKeys: () => signing.keys.revoked(),
    monotonic: () => performance.now(),
  });
  return { endpoints: [revocationsRoute(answer, requests)] };
}

// Seconds.
export const longestWait = 30;

/** `GET /oauth2/revocations`: the revocation feed (docs/revocation-feed.md). */
function revocationsRoute(answer: RevocationsEndpoint, requests: CallerRequests): Endpoint {
  return {
    path: '/oauth2/revocations',
    methods: {
      async GET(request) {
        const { cursor, list } = await answer(requests.head(request), {
          since: entityTag(request),
          wait: preferredWait(request) * 1000,
          isSigned: preference(request, 'return') === 'representation',
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
function preferredWait(request: HttpRequest): number {
  const seconds = preference(request, 'wait');
  const isUsable = request.method === 'GET' && /^\d{1,9}$/.test(seconds);
  return isUsable ? Math.min(Number(seconds), longestWait) : 0;
}

/** The value of the preference (RFC 7240 §2): of the first one of this name. */
function preference({ headers }: HttpRequest, name: 'wait' | 'return'): string {
  for (const text of [headers.prefer ?? []].flat().join(',').split(',')) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*"?([\w-]*)"?\s*(?:;|$)/.exec(text) ?? [];
    if (key.toLowerCase() === name) return value.toLowerCase();
  }
  return '';
}
