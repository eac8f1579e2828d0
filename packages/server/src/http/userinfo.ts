import { optionalParameter, type UserinfoEndpoint } from '@watchword/protocol';
import type { Endpoint, Handler, OriginCheck } from './endpoint.ts';
import { formParameters, hasQueryParameter } from './form.ts';
import type { HttpRequest } from './request.ts';

/**
 * `/oauth2/userinfo` (OpenID Connect Core §5.3): the access token is in the header, or in the form body of a POST. A body beside a
 * header is not read: libraries send an empty one of another type.
 */
export function userinfoRoute(answer: UserinfoEndpoint, origins: OriginCheck): Endpoint {
  const handler =
    (formTokenOf: (request: HttpRequest) => string | undefined): Handler =>
    async (request) => {
      const userinfo = await answer({
        authorization: request.headers.authorization,
        formToken: formTokenOf(request),
        hasTokenInQuery: hasQueryParameter(request, 'access_token'),
        source: request.source,
      });
      if ('claims' in userinfo) return { body: userinfo.claims };
      return { headers: { 'content-type': 'application/jwt' }, body: userinfo.jwt };
    };
  return {
    path: '/oauth2/userinfo',
    origins,
    methods: {
      GET: handler(() => undefined),
      POST: handler((request) =>
        request.headers.authorization === undefined
          ? optionalParameter(formParameters(request), 'access_token')
          : undefined,
      ),
    },
  };
}
