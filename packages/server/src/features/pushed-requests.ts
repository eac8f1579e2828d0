import {
  type IncomingDependencies,
  pushedAuthorizationEndpoint,
  pushedRequests as pushedRequestSource,
} from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { withNonce } from '../http/credentialed-request.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { addressGroup } from '../runtime/limits/address-group.ts';
import { Pace } from '../runtime/limits/pace.ts';
import type { Feature } from './feature.ts';

const path = '/oauth2/par';
// Of clients in one network that anybody can be or register: each stored request costs them nothing, and people of one company log in at the same time.
const perAddress = { atOnce: 100, perSecond: 5 };

/** Authorization requests that clients have pushed (RFC 9126), for browsers that bring the reference. */
export function pushedRequests({
  baseUrl,
  clock,
  configuration,
  profile,
  store,
}: Pick<Core, 'baseUrl' | 'clock' | 'configuration' | 'profile' | 'store'>): Feature {
  return {
    metadata: {
      pushed_authorization_request_endpoint: `${baseUrl}${path}`,
      require_pushed_authorization_requests:
        configuration['authorization.requirePushedRequests'] || profile?.requiresPushedRequests === true,
    },
    requestSources: [pushedRequestSource({ ...store, clock })],
  };
}

/** `POST /oauth2/par` (RFC 9126 §2). @param incoming reads requests as the authorization endpoint does */
export function pushedRequestEndpoint(
  {
    authentication,
    dpopProofs,
    random,
    requestErrors,
    requests,
    store,
  }: Pick<Core, 'authentication' | 'dpopProofs' | 'random' | 'requestErrors' | 'requests' | 'store'>,
  incoming: IncomingDependencies,
): Endpoint {
  const pace = new Pace(perAddress.atOnce, perAddress.perSecond, () => performance.now());
  const push = pushedAuthorizationEndpoint({
    ...incoming,
    ...authentication,
    dpopProofs,
    oneTime: store.oneTime,
    pace: (source) => pace.take(addressGroup(source)),
    random,
    requestErrorLog: requestErrors,
  });
  return {
    path,
    origins: (origin) => store.registry.isPublicClientOrigin(origin),
    methods: {
      POST: async (request) => {
        const form = requests.form(request);
        const body = await push(form);
        return withNonce({ status: 201, body }, form);
      },
    },
  };
}
