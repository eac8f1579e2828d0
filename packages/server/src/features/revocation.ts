import { revocationEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { revocationRoute } from '../http/revoke.ts';
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
