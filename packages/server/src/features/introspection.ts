import { type DocumentClients, introspectionEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
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
  | 'tokenBridge'
>;

/** Token introspection, `POST /oauth2/introspect` (RFC 7662). */
export function introspection(
  {
    accessTokenFormats,
    authentication,
    baseUrl: issuer,
    configuration,
    identityProviders,
    openid: { subjects },
    requestErrors,
    requests,
    store,
    tokenBridge,
  }: Parts,
  documentClients: DocumentClients | undefined,
): Feature {
  const answer = introspectionEndpoint({
    ...store,
    ...authentication,
    documentClients,
    accessTokenFormats,
    identityProviders,
    issuer,
    subjects,
    requestErrorLog: requestErrors,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    tokenBridge,
  });
  return {
    endpoints: [
      {
        path: '/oauth2/introspect',
        methods: { POST: async (request) => ({ body: await answer(requests.form(request)) }) },
      },
    ],
  };
}
