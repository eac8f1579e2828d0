import type { TokenEndpoint } from '@watchword/protocol';
import type { CallerRequests } from './credentialed-request.ts';
import type { Endpoint, OriginCheck } from './endpoint.ts';

/** `POST /oauth2/token` (RFC 6749 §3.2). */
export function tokenRoute(answer: TokenEndpoint, requests: CallerRequests, origins: OriginCheck): Endpoint {
  return {
    path: '/oauth2/token',
    origins,
    methods: { POST: async (request) => ({ body: await answer(requests.form(request)) }) },
  };
}
