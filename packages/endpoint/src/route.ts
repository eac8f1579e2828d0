import { cached } from './cached.ts';
import { EndpointError } from './endpoint-error.ts';
import { toToken } from './headers.ts';
import { compileTemplate } from './template/compile-template.ts';
import { encodeReserved } from './template/percent-encode.ts';

type UrlParts = [
  url: string,
  origin: string | undefined,
  host: string | undefined,
  path: string,
  rest: string,
];

/**
 * The origin is scheme and authority. The host ends where the path, query or fragment begins, not at another placeholder;
 * where it does not, all of the text is the origin, and there is no host.
 */
const splitUrl = (url: string): UrlParts =>
  /^([a-z][\w+.-]*:\/\/(?:([^/?#{]+)(?=\{?[/?#]|$)|.*))?([^?#]*)(.*)/is.exec(url) as unknown as UrlParts;

/** Dot segments as URL parsers see them: RFC 3986 section 5.2.4, and %2e as the WHATWG URL standard has it. */
const countDotSegments = (path: string): number =>
  path.split(/(?<![^/])(\.|%2e){1,2}(?=\{?[?#]|\/|$)/i).length;

/**
 * The full URL. Whatever the variables are, its origin is the base URL's, or the route's own.
 * @throws EndpointError `MISSING_VARIABLE`, `UNSAFE_VALUE`, `INVALID_URL`, `INVALID_VALUE`
 */
type Locate = (baseUrl: string | undefined, variables: object, query: string) => string;

/** The names of all variables are what is neither query nor body. */
export type Route = readonly [names: ReadonlySet<string>, locate: Locate];

/**
 * In lower case.
 * @throws EndpointError `INVALID_METHOD`
 */
export const checkMethod = (method: unknown): string => toToken(method, 'INVALID_METHOD', 'an HTTP method');

/**
 * `GET /users` -> method and URL; a URL alone goes with GET, and a method alone has an empty URL.
 * @throws EndpointError `INVALID_METHOD`
 */
export const splitRoute = cached((route) => {
  const [, method = 'get', url = route] = /^(?![/{?#]|\S*:\/\/)(\S+(?=\s)|[A-Z]+$)\s*(.*)/s.exec(route) ?? [];
  return { method: checkMethod(method), url };
});

/** Puts `query`, which begins with a question mark, behind the query of `url` and before its fragment. */
const appendQuery = (url: string, query: string): string =>
  url.replace(
    /^[^#]*/,
    (head) => head + (head.includes('?') ? query.replace('?', /[?&]$/.test(head) ? '' : '&') : query),
  );

/** Scheme, authority and path, without a slash at the end; the query with its question mark. */
type Base = readonly [url: string, root: string, query: string | undefined];

/** @throws EndpointError `INVALID_URL` */
export const parseBaseUrl = cached((text): Base => {
  if (!splitUrl(text)[2]) throw new EndpointError('INVALID_URL', 'a full URL with a fixed host', text);
  return /^(.*?)\/?(\?[^#]*)?(#.*)?$/.exec(encodeReserved(text)) as unknown as Base;
});

/**
 * Takes a path or full URL apart; the result is cached.
 * @throws EndpointError `MISSING_URL`, `INVALID_TEMPLATE`, or `INVALID_URL` for a placeholder in the place of the host
 */
export const parseRoute = cached((url): Route => {
  if (typeof url !== 'string' || !url) throw new EndpointError('MISSING_URL', 'a path or full URL', url);
  const [, origin, , path, rest] = splitUrl(url);
  // `:name` is a placeholder only as a whole path segment, with or without a file extension.
  const template = path.replace(/(?<![^/]):([a-z_]\w*)(?![^/.{])/gi, '{$1}') + rest;
  const [names, expand] = compileTemplate(template, true);
  return [
    names,
    (baseUrl, variables, query) => {
      const path = expand(variables);
      const [, root, baseQuery = ''] = parseBaseUrl(origin ?? (baseUrl as string));
      // Most paths have no query, fragment or dot segment to look after, which this tells at once.
      if (!baseQuery && !/^[^/]|[?#]|\/[.%]/.test(path)) return root + path + query;
      // The author of a route may climb with `..`; a value may not add to that.
      if (countDotSegments(path) > countDotSegments(template)) {
        throw new EndpointError('UNSAFE_VALUE', 'values without dot segments', path);
      }
      // A path begins with a slash, so that no value can reach into the host before it.
      return root + appendQuery(appendQuery(path.replace(/^[^/?#]/, '/$&'), baseQuery), query);
    },
  ];
});
