import { type IntrospectionEndpoint, introspectionEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { CallerRequests } from '../http/credentialed-request.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'accessTokenFormats'
  | 'authentication'
  | 'baseUrl'
  | 'configuration'
  | 'identityProviders'
  | 'openid'
  | 'requestErrors'
  | 'requests'
  | 'store'
>;

/** Token introspection (RFC 7662). */
export function introspection({
  accessTokenFormats,
  authentication,
  baseUrl: issuer,
  configuration,
  identityProviders,
  openid: { subjects },
  requestErrors,
  requests,
  store,
}: Parts): Feature {
  const answer = introspectionEndpoint({
    ...store,
    ...authentication,
    accessTokenFormats,
    identityProviders,
    issuer,
    subjects,
    requestErrorLog: requestErrors,
    sessionIdleLifetime: configuration['session.idleLifetime'],
  });
  return { endpoints: [introspectionRoute(answer, requests)] };
}

/** `POST /oauth2/introspect` (RFC 7662). */
function introspectionRoute(answer: IntrospectionEndpoint, requests: CallerRequests): Endpoint {
  return {
    path: '/oauth2/introspect',
    methods: { POST: async (request) => ({ body: await answer(requests.form(request)) }) },
  };
}
