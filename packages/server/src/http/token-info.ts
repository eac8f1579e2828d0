import {
  longestAccessToken,
  type Parameters,
  requiredParameter,
  type TokenInfoEndpoint,
  withJavaTypeInformation,
} from '@watchword/protocol';
import type { CallerRequests } from './credentialed-request.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { formParameters, queryParameters } from './form.ts';
import type { HttpRequest } from './request.ts';

/** For the path with its prefix, and the name of the parameter. */
const pathLength = 1024;

/** `GET /v1/tokeninfo`, and `POST` with the token in a form body, which keeps it out of access logs. */
export function tokenInfoRoute(
  answer: TokenInfoEndpoint,
  requests: CallerRequests,
  jsonTypeInfoIncluded: boolean,
): Endpoint {
  const handler =
    (parametersOf: (request: HttpRequest) => Parameters): Handler =>
    async (request) => {
      const readToken = () => requiredParameter(parametersOf(request), 'access_token');
      const info = await answer(requests.head(request), readToken);
      return { body: jsonTypeInfoIncluded ? withJavaTypeInformation(info) : info };
    };
  return {
    path: '/v1/tokeninfo',
    uriLimit: longestAccessToken + pathLength,
    methods: { GET: handler(queryParameters), POST: handler(formParameters) },
  };
}
