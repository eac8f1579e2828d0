import type { RevocationEndpoint } from '@watchword/protocol';
import type { CallerRequests } from './credentialed-request.ts';
import type { Endpoint, OriginCheck } from './endpoint.ts';

/**
 * `POST /oauth2/revoke` (RFC 7009): 200. The body has no meaning (§2.2). It is JSON because some client libraries parse the
 * body before they check the status.
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
