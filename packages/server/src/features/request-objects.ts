import { requestObjects as requestObjectSource, signingAlgorithms, withBothNames } from '@watchword/protocol';
import { requestObjectFetchOf } from '../core/clients/client-urls.ts';
import type { Core } from '../core/core.ts';
import { RequestObjectsAtUrls } from '../runtime/request-objects-at-urls.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'baseUrl'
  | 'clientKeySets'
  | 'clock'
  | 'configuration'
  | 'openFetch'
  | 'outboundFetch'
  | 'profile'
  | 'store'
>;

/** Authorization requests in request objects (RFC 9101, OpenID Connect Core §6): by value, and where the operator wants it by reference. */
export function requestObjects({
  baseUrl: issuer,
  clientKeySets,
  clock,
  configuration,
  openFetch,
  outboundFetch,
  profile,
  store: { registry },
}: Parts): Feature {
  const isFetched = configuration['authorization.requestUris'];
  const isRequired = configuration['authorization.requireSignedRequests'];
  const fetchObject = requestObjectFetchOf({ outboundFetch, openFetch });
  const objectsAtUrls = isFetched ? new RequestObjectsAtUrls(fetchObject) : undefined;
  const isTaken = (algorithm: string) => profile?.takesRequestObjects(algorithm) !== false;
  return {
    metadata: {
      request_parameter_supported: true,
      // Absent would mean true (OpenID Connect Discovery §3).
      request_uri_parameter_supported: isFetched,
      ...(isFetched && { require_request_uri_registration: true }),
      require_signed_request_object: isRequired,
      request_object_signing_alg_values_supported: [
        ...withBothNames(signingAlgorithms),
        ...(isRequired ? [] : ['none']),
      ].filter(isTaken),
    },
    requestSources: [requestObjectSource({ registry, clock, issuer, clientKeySets, profile, objectsAtUrls })],
  };
}
