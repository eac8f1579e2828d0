import {
  type Parameters,
  requiredParameter,
  type TokenInfoEndpoint,
  withJavaTypeInformation,
} from '@watchword/protocol';
import type { FastifyRequest } from 'fastify';
import type { Endpoint, Handler } from './endpoint.ts';
import { formParameters, queryParameters } from './form.ts';

/** `GET /v1/tokeninfo`, and `POST` with the token in a form body, which keeps it out of access logs. */
export function tokenInfoRoute(answer: TokenInfoEndpoint, jsonTypeInfoIncluded: boolean): Endpoint {
  const handler =
    (parametersOf: (request: FastifyRequest) => Parameters): Handler =>
    async (request) => {
      const info = await answer({
        authorization: request.headers.authorization,
        source: request.ip,
        token: () => requiredParameter(parametersOf(request), 'access_token'),
      });
      return jsonTypeInfoIncluded ? withJavaTypeInformation(info) : info;
    };
  return {
    path: '/v1/tokeninfo',
    methods: { GET: handler(queryParameters), POST: handler(formParameters) },
  };
}
