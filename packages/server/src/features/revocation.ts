import { type RevocationEndpoint, revocationEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { CallerRequests } from '../http/credentialed-request.ts';
import type { Endpoint, OriginCheck } from '../http/endpoint.ts';
import type { Feature } from './feature.ts';

/** Token revocation (RFC 7009). */
export function revocation({
  accessTokenFormats,
  authentication,
  requestErrors,
  requests,
  store,
}: Pick<Core, 'accessTokenFormats' | 'authentication' | 'requestErrors' | 'requests' | 'store'>): Feature {
  const { registry } = store;
  const answer = revocationEndpoint({
    ...store,
    ...authentication,
    accessTokenFormats,
    requestErrorLog: requestErrors,
  });
  return {
    endpoints: [revocationRoute(answer, requests, (origin) => registry.isPublicClientOrigin(origin))],
  };
}

/**
 * `POST /oauth2/revoke` (RFC 7009): 200. The body has no meaning (§2.2). It is JSON because some client libraries parse the
 * body before they check the status.
 */
function revocationRoute(
  answer: RevocationEndpoint,
  requests: CallerRequests,
  origins: OriginCheck,
): Endpoint {
  return {
    path: '/oauth2/revoke',
    origins,
    methods: {
      POST: async (request) => {
        await answer(requests.form(request));
        return { body: {} };
      },
    },
  };
}
