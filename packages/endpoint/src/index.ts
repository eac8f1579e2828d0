export { createEndpoint, type EndpointConfiguration } from './create-endpoint.ts';
export { endpoint } from './endpoint.ts';
export { EndpointError, type EndpointErrorCode } from './endpoint-error.ts';
export { expandTemplate } from './expand-template.ts';
export type { PathVariables } from './route-types.ts';
export { type CurlOptions, toCurl } from './to-curl.ts';
export { type FetchInit, toFetch } from './to-fetch.ts';
export type {
  Endpoint,
  HeadersInput,
  HeaderValue,
  MediaType,
  MergedOptions,
  Options,
  Parameters,
  RequestOptions,
  UrlObject,
} from './types.ts';
