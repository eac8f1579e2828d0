import { type GrantType, tokenEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { tokenRoute } from '../http/token.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'authentication'
  | 'configuration'
  | 'instruments'
  | 'requestErrors'
  | 'requests'
  | 'scopeSyntax'
  | 'securityLog'
  | 'store'
>;

/** The token endpoint. @param grantTypes of all features */
export function token(
  {
    authentication,
    configuration,
    instruments,
    requestErrors,
    requests,
    scopeSyntax,
    securityLog,
    store,
  }: Parts,
  grantTypes: readonly GrantType[],
): Feature {
  const { registry } = store;
  const answer = tokenEndpoint({
    ...authentication,
    grantTypes,
    instruments,
    omitsZeroExpiresIn: configuration['token.omitZeroExpiresIn'],
    requestErrorLog: requestErrors,
    scopeSyntax,
    securityLog,
    tracer: authentication.tracer,
  });
  return { endpoints: [tokenRoute(answer, requests, (origin) => registry.isPublicClientOrigin(origin))] };
}
