export { createEndpoint, type EndpointConfiguration } from './create-endpoint.ts';
export { endpoint } from './endpoint.ts';
export { EndpointError, type EndpointErrorCode } from './endpoint-error.ts';
export { expandTemplate } from './expand-template.ts';
export { type FetchInit, toFetch } from './fetch.ts';
export { match } from './match.ts';
export type { AnswerOf, RouteOf, TypedEndpoint, TypedOptions, TypedRequest } from './openapi-types.ts';
export type { PathVariables } from './route-types.ts';
export { type CurlOptions, toCurl } from './to-curl.ts';
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
} from './types.ts';
