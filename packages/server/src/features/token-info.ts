import { tokenInfoEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { tokenInfoRoute } from '../http/token-info.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'accessTokenFormats'
  | 'authentication'
  | 'configuration'
  | 'identityProviders'
  | 'requestErrors'
  | 'requests'
  | 'store'
>;

export function tokenInfo({
  accessTokenFormats,
  authentication,
  configuration,
  identityProviders,
  requestErrors,
  requests,
  store,
}: Parts): Feature {
  const answer = tokenInfoEndpoint({
    ...store,
    ...authentication,
    accessTokenFormats,
    identityProviders,
    requestErrorLog: requestErrors,
    sessionIdleLifetime: configuration['session.idleLifetime'],
  });
  const isTyped = configuration['adminService.jsonTypeInfoIncluded'];
  return {
    endpoints: [tokenInfoRoute(answer, requests, isTyped)],
    // The form of the answers, for APIs that configure themselves. Without the member it is the plain one.
    metadata: isTyped ? { tokeninfo_json_type_info_included: true } : {},
  };
}
