import { cached } from './cached.ts';
import { EndpointError } from './endpoint-error.ts';
import { checkMethod } from './headers.ts';
import { OPTIONS } from './settings.ts';
import { compileTemplate } from './template/compile-template.ts';
import { encodeReserved } from './template/percent-encode.ts';

/**
 * Dot segments as URL parsers see them: RFC 3986 section 5.2.4, and %2e as the WHATWG URL standard has it; servers that take
 * `..;` for one are known, too. In a template they may stand before what can vanish. And a beginning that would be a host
 * (`//evil.example`) where only the path is looked at.
 */
const countHazards = (path: string): number =>
  path.split(/^\/\/|(?<![^/])(?:\.|%2e){1,2}(?=(?:\{[;?&#][^{}]*\})*(?:[;?#/]|$))/i).length;

/**
 * The full URL. No variable changes its origin, which is that of the base URL or of the route.
 * @throws EndpointError `MISSING_VARIABLE`, `UNSAFE_VALUE`, `INVALID_URL`, `INVALID_VALUE`
 */
type Locate = (baseUrl: string | undefined, variables: object, query: string) => string;

/**
 * The names of all variables are what is neither query nor body. `others` has those of the options, too; it is undefined where a
 * variable is called as an option.
 */
export type Route = readonly [
  names: ReadonlySet<string>,
  locate: Locate,
  others: ReadonlySet<string> | undefined,
];

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

/** Scheme, authority and path, without a slash at the end; and the query with its question mark. */
type Base = readonly [root: string, query: string];

/** @throws EndpointError `INVALID_URL` */
export const parseBaseUrl = cached((text): Base => {
  const [, root, query = ''] =
    /^([a-z][\w+.-]*:\/\/[^/?#{}\\\s]+(?:\/[^?#{}]*?)??)\/?(\?[^#{}]*)?(#[^{}]*)?$/i.exec(text) ?? [];
  if (root) return [encodeReserved(root), encodeReserved(query)];
  throw new EndpointError('INVALID_URL', 'a full URL with a host, and no placeholder in it', text);
});

/**
 * Takes a path or full URL apart; the result is cached.
 * @throws EndpointError `MISSING_URL`, `INVALID_TEMPLATE`, or `INVALID_URL` for a placeholder in the place of the host
 */
export const parseRoute = cached((url): Route => {
  if (typeof url !== 'string' || !url) throw new EndpointError('MISSING_URL', 'a path or full URL', url);
  // The origin is scheme and authority. The host ends where the path, query or fragment begins, not at another placeholder;
  // where it does not, all of the text is taken for the origin, which is then rejected.
  const [, origin, path, rest] = /^([a-z][\w+.-]*:\/\/(?:[^/?#{\\\s]+(?=\{?[/?#]|$)|.*))?([^?#]*)(.*)/is.exec(
    url,
  ) as unknown as [string, string | undefined, string, string];
  // What is written out begins with a slash, so that it cannot reach into the host before it.
  // `:name` is a placeholder only as a whole path segment, with or without a file extension.
  const template =
    path.replace(/^(?=[^/{])/, '/').replace(/(?<![^/]):([a-z_]\w*)(?![^/.{])/gi, '{$1}') + rest;
  const [names, expand] = compileTemplate(template, true);
  const others = new Set([...names, ...OPTIONS]);
  return [
    names,
    (baseUrl, variables, query) => {
      const path = expand(variables);
      const [root, baseQuery] = parseBaseUrl(origin ?? (baseUrl as string));
      // Most paths have no query, fragment or dot segment. This test finds that at once.
      if (!baseQuery && !/^[^/]|[?#]|\/[.%/]/.test(path)) return root + path + query;
      // What does not begin with a slash would lengthen the host before it: `.evil.example`, `@evil.example`. The author of a
      // route may climb with `..`; a value may not add to that.
      if (/^[^/?#]/.test(path) || countHazards(path) > countHazards(template)) {
        // Without its query, which may hold a secret.
        throw new EndpointError('UNSAFE_VALUE', 'no dot segments and no host', path.split(/[?#]/, 1));
      }
      return root + appendQuery(appendQuery(path, baseQuery), query);
    },
    others.size < names.size + OPTIONS.size ? undefined : others,
  ];
});
