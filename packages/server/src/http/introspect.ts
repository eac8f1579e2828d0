import type { IntrospectionEndpoint } from '@watchword/protocol';
import type { CallerRequests } from './credentialed-request.ts';
import type { Endpoint } from './endpoint.ts';

/** `POST /oauth2/introspect` (RFC 7662). */
export function introspectionRoute(answer: IntrospectionEndpoint, requests: CallerRequests): Endpoint {
  return {
    path: '/oauth2/introspect',
    methods: { POST: async (request) => ({ body: await answer(requests.form(request)) }) },
  };
}
