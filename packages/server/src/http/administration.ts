import {
  type AdministrationScope,
  authenticateCaller,
  type CallerDependencies,
  type EffectiveSetting,
  type FreshLoginDependencies,
  ifMatch,
  type OpenApiDocument,
  openApiPath,
  parseJsonBody,
  type Route,
  referenceOf,
  requireFreshLogin,
  settingElementId,
} from '@watchword/administration';
import type { RequestHead } from '@watchword/protocol';
import { compressedAnswer } from './compressed-answer.ts';
import { type CallerRequests, withNonce } from './credentialed-request.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { hasQueryParameter, queryParameters } from './form.ts';
import type { PageAnswers } from './page.ts';
import type { HttpRequest } from './request.ts';

export interface AdministrationRouteDependencies extends CallerDependencies, FreshLoginDependencies {
  readonly routes: readonly Route[];
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  readonly pages: PageAnswers;
  readonly requests: CallerRequests;
  openApi(): OpenApiDocument;
  /** For their descriptions. */
  settings(): readonly EffectiveSetting[];
}

/** `/admin/…`: one endpoint for each path, and their description for programs and for people. */
export function administrationRoutes(deps: AdministrationRouteDependencies): Endpoint[] {
  const paths = Map.groupBy(deps.routes, ({ path }) => path);
  const endpoints = [...paths].map(([path, routes]): Endpoint => {
    const methods = routes.map((route) => [route.method, handlerOf(route, deps)] as const);
    const limits = routes.flatMap(({ body }) => body?.limit ?? []);
    return {
      path: routePattern(path),
      methods: Object.fromEntries(methods) as Endpoint['methods'],
      ...(limits.length > 0 && { bodyLimit: Math.max(...limits) }),
    };
  });
  return [
    ...endpoints,
    { path: openApiPath, methods: { GET: () => ({ body: deps.openApi() }) } },
    {
      path: '/admin/docs',
      page: true,
      methods: {
        GET: (request) => {
          const documentUrl = `${deps.prefix}${openApiPath}`;
          return deps.pages.show(request, {
            page: 'reference',
            documentUrl,
            ...referenceOf(deps.openApi()),
            settings: deps.settings().map(describedSetting),
          });
        },
      },
    },
  ];
}

/** What is the same at every server: no value of this one. */
function describedSetting(setting: EffectiveSetting) {
  const { name, flag, environmentVariable, description, default: usual } = setting;
  const fallback =
    usual === undefined ? [] : [{ name: JSON.stringify(usual), kind: 'default', description: '' }];
  return {
    elementId: settingElementId(name),
    name,
    description,
    fields: [
      { name: flag, kind: 'flag', description: '' },
      { name: environmentVariable, kind: 'environment variable', description: '' },
      ...fallback,
    ],
  };
}

function handlerOf(route: Route, deps: AdministrationRouteDependencies): Handler {
  const known = new Set(route.query?.map(({ name }) => name));
  return async (request) => {
    const head = deps.requests.head(request);
    const caller = await authenticate(request, head, route.scope, deps);
    if (route.needsFreshLogin) requireFreshLogin(caller, deps);
    const { status, body, headers } = await route.handle({
      caller,
      path: request.parameters as Record<string, string>,
      query: queryParameters(request, known),
      body: () => parseJsonBody({ type: request.headers['content-type'], bytes: request.body }),
      condition: ifMatch(request.headers['if-match']),
      prefix: deps.prefix,
    });
    const answer = { status, headers: headers ?? {}, body: body as object | undefined };
    return compressedAnswer(withNonce(answer, head), request);
  };
}

function authenticate(
  request: HttpRequest,
  head: RequestHead,
  scope: AdministrationScope,
  deps: AdministrationRouteDependencies,
) {
  const presented = { hasTokenInQuery: hasQueryParameter(request, 'access_token'), head };
  return authenticateCaller(presented, scope, deps);
}

/** `{id}` of OpenAPI is `:id` of the router. */
function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
