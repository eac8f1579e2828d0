import {
  longestAccessToken,
  type Parameters,
  type ProfileChecks,
  requiredParameter,
  type TokenInfoEndpoint,
  tokenInfoEndpoint,
  withJavaTypeInformation,
} from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { CallerRequests } from '../http/credentialed-request.ts';
import type { Endpoint, Handler } from '../http/endpoint.ts';
import { formParameters, queryParameters } from '../http/form.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'accessTokenFormats'
  | 'authentication'
  | 'configuration'
  | 'identityProviders'
  | 'profile'
  | 'requestErrors'
  | 'requests'
  | 'store'
  | 'tokenBridge'
>;

export function tokenInfo({
  accessTokenFormats,
  authentication,
  configuration,
  identityProviders,
  profile,
  requestErrors,
  requests,
  store,
  tokenBridge,
}: Parts): Feature {
  const answer = tokenInfoEndpoint({
    ...store,
    ...authentication,
    accessTokenFormats,
    identityProviders,
    requestErrorLog: requestErrors,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    tokenBridge,
  });
  const isTyped = configuration['adminService.jsonTypeInfoIncluded'];
  return {
    endpoints: [tokenInfoRoute(answer, requests, isTyped, profile)],
    // The form of the answers, for APIs that configure themselves. Without the member it is the plain one.
    metadata: isTyped ? { tokeninfo_json_type_info_included: true } : {},
  };
}

/** For the path with its prefix, and the name of the parameter. */
const pathLength = 1024;

/** `GET /v1/tokeninfo`, and `POST` with the token in a form body, which keeps it out of access logs. */
function tokenInfoRoute(
  answer: TokenInfoEndpoint,
  requests: CallerRequests,
  jsonTypeInfoIncluded: boolean,
  profile: ProfileChecks | undefined,
): Endpoint {
  const handler =
    (parametersOf: (request: HttpRequest) => Parameters): Handler =>
    async (request) => {
      const readToken = () => requiredParameter(parametersOf(request), 'access_token');
      const info = await answer(requests.head(request), readToken);
      return { body: jsonTypeInfoIncluded ? withJavaTypeInformation(info) : info };
    };
  const fromQuery = (request: HttpRequest) => {
    const refused = profile?.refusal('tokenInfo', { hasTokenInQuery: true });
    if (refused !== undefined) throw refused;
    return queryParameters(request);
  };
  return {
    path: '/v1/tokeninfo',
    uriLimit: longestAccessToken + pathLength,
    methods: { GET: handler(fromQuery), POST: handler(formParameters) },
  };
}
