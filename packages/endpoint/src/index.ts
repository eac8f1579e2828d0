import { createEndpoint } from './create-endpoint.ts';

export { createEndpoint, type EndpointConfiguration } from './create-endpoint.ts';
export { EndpointError, type EndpointErrorCode } from './endpoint-error.ts';
export { type FetchInit, toFetch } from './fetch.ts';
export { expandTemplate } from './template/expand-template.ts';
export { match } from './template/match.ts';
export { type CurlOptions, toCurl } from './to-curl.ts';
export type { AnswerOf, RouteOf, TypedEndpoint, TypedOptions, TypedRequest } from './types/openapi.ts';
export type {
  Endpoint,
  HeadersInput,
  HeaderValue,
  MediaType,
  MergedOptions,
  Options,
  ParameterStyle,
  Parameters,
  RequestOptions,
  Schemas,
  StandardSchema,
  Style,
  UrlObject,
} from './types/options.ts';
export type { PathVariables } from './types/route.ts';

/** Request options for GitHub's REST and GraphQL APIs, or with `baseUrl` for any other. */
export const endpoint = /* @__PURE__ */ createEndpoint({
  baseUrl: 'https://api.github.com',
  accept: 'application/vnd.github.v3+json',
});
