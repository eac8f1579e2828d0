import type { RevocationEndpoint } from '@watchword/protocol';
import type { OriginCheck } from './cors.ts';
import type { CallerRequests } from './credentialed-request.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * `POST /oauth2/revoke` (RFC 7009): 200. Its body means nothing (§2.2); it is JSON because client libraries parse it
 * before they look at the status.
 */
export function revocationRoute(
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
