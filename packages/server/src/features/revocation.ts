import { type DocumentClients, revocationEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { Feature } from './feature.ts';

/**
 * Token revocation, `POST /oauth2/revoke` (RFC 7009). The body of an answer has no meaning (§2.2). It is JSON because some client
 * libraries parse the body before they check the status.
 */
export function revocation(
  {
    accessTokenFormats,
    authentication,
    requestErrors,
    requests,
    store,
  }: Pick<Core, 'accessTokenFormats' | 'authentication' | 'requestErrors' | 'requests' | 'store'>,
  documentClients: DocumentClients | undefined,
): Feature {
  const { registry } = store;
  const answer = revocationEndpoint({
    ...store,
    ...authentication,
    documentClients,
    accessTokenFormats,
    requestErrorLog: requestErrors,
  });
  return {
    endpoints: [
      {
        path: '/oauth2/revoke',
        origins: (origin) => registry.isPublicClientOrigin(origin),
        methods: {
          POST: async (request) => {
            await answer(requests.form(request));
            return { body: {} };
          },
        },
      },
    ],
  };
}
