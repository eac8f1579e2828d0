import { type AdministrationScope, authenticateCaller, type BearerDependencies } from '@watchword/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ifMatch } from '../admin/entity-tags.ts';
import { parseJsonBody } from '../admin/json-body.ts';
import { type OpenApiDocument, openApiPath } from '../admin/openapi.ts';
import { referenceOf } from '../admin/reference.ts';
import type { Route } from '../admin/route.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { hasQueryParameter, queryParameters } from './form.ts';
import type { PageAnswers } from './page.ts';

export interface AdministrationRouteDependencies extends BearerDependencies {
  readonly routes: readonly Route[];
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  readonly pages: PageAnswers;
  openApi(): OpenApiDocument;
}

/** `/admin/…`: one endpoint a path, and what describes them to programs and to people. */
export function administrationRoutes(deps: AdministrationRouteDependencies): Endpoint[] {
  const paths = Map.groupBy(deps.routes, ({ path }) => path);
  const endpoints = [...paths].map(([path, routes]): Endpoint => {
    const methods = routes.map((operation) => [operation.method, handlerOf(operation, deps)] as const);
    return { path: routePattern(path), methods: Object.fromEntries(methods) as Endpoint['methods'] };
  });
  return [
    ...endpoints,
    { path: openApiPath, methods: { GET: async () => deps.openApi() } },
    {
      path: '/admin/docs',
      page: true,
      methods: {
        GET: async (request, reply) => {
          const documentUrl = `${deps.prefix}${openApiPath}`;
          return deps.pages.show(request, reply, {
            page: 'reference',
            documentUrl,
            ...referenceOf(deps.openApi()),
          });
        },
      },
    },
  ];
}

function handlerOf(operation: Route, deps: AdministrationRouteDependencies): Handler {
  return async (request, reply) => {
    const caller = await authenticate(request, operation.scope, deps);
    const { status, body, headers } = await operation.handle({
      caller,
      path: request.params as Record<string, string>,
      query: queryParameters(request),
      body: () =>
        parseJsonBody({
          type: request.headers['content-type'],
          bytes: request.body as Buffer | undefined,
        }),
      condition: ifMatch(request.headers['if-match']),
      prefix: deps.prefix,
    });
    reply.code(status).headers(headers ?? {});
    return body ?? sendNothing(reply);
  };
}

function authenticate(
  request: FastifyRequest,
  scope: AdministrationScope,
  deps: AdministrationRouteDependencies,
) {
  const bearer = {
    authorization: request.headers.authorization,
    hasTokenInQuery: hasQueryParameter(request, 'access_token'),
    source: request.ip,
  };
  return authenticateCaller(bearer, scope, deps);
}

function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.send();
}

/** `{id}` of OpenAPI is `:id` of the router. */
function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
