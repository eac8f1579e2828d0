import { cached } from './cached.ts';
import { unexpected } from './endpoint-error.ts';
import { checkMethod } from './headers.ts';
import { OPTIONS } from './settings.ts';
import { compileTemplate, type Template } from './template/compile-template.ts';
import { expand, type Values } from './template/expand.ts';
import { encodeReserved } from './template/percent-encode.ts';

/**
 * Dot segments as URL parsers see them: RFC 3986 section 5.2.4, and %2e as the WHATWG URL standard has it; servers that take
 * `..;` for one are known, too. In a template they may stand before what can vanish. And a beginning that would be a host
 * (`//evil.example`) where only the path is looked at.
 */
export const countHazards = (path: string): number =>
  path.split(/^\/\/|(?<![^/])(?:\.|%2e){1,2}(?=(?:\{[;?&#][^{}]*\})*(?:[;?#/]|$))/i).length;

/** The path of a URL or a template: a query has no segments, and may hold a secret. */
export const pathOf = (url: string): string => url.slice(0, url.search(/\{?[?#]|$/));

/** Only those of the path. What follows the path of a template can vanish. */
const hazardsOf = (url: string): number => countHazards(url) - countHazards(url.slice(pathOf(url).length));

/** A URL, taken apart. */
export interface Route extends Template {
  /** Scheme and authority, if the URL has its own. */
  readonly origin: string | undefined;
  /** Path, query and fragment, with their placeholders. */
  readonly template: string;
  /** What is neither query nor body: the names of all variables, and of all options. */
  readonly omitted: ReadonlySet<string>;
  /** Whether a variable is called as an option. */
  readonly hasOptionName: boolean;
  /** Whether no word as a value makes a host or a dot segment of it. */
  readonly isCalm: boolean;
}

/** What a route names. */
export interface Place {
  /** Lower case. */
  readonly method: string;
  readonly url: string;
  /** The URL, taken apart when that is first needed. */
  route?: Route;
}

/**
 * `GET /users` -> method and URL; a URL alone goes with GET, and a method alone has an empty URL.
 * @throws EndpointError `INVALID_METHOD`
 */
export const splitRoute = cached((route): Place => {
  const [, method = 'get', url = route] = /^(?![/{?#]|\S*:\/\/)(\S+(?=\s)|[A-Z]+$)\s*(.*)/s.exec(route) ?? [];
  return { method: checkMethod(method), url };
});

/**
 * Puts `query`, which has no question mark, behind the query of `url` and before its fragment.
 * @param isPath whether the URL has no query and no fragment
 */
const addQuery = (url: string, query: string, isPath: boolean): string => {
  if (query === '') return url;
  const end = isPath ? -1 : url.indexOf('#');
  if (end >= 0) return addQuery(url.slice(0, end), query, false) + url.slice(end);
  if (isPath || !url.includes('?')) return `${url}?${query}`;
  return url + (/[?&]/.test(url.slice(-1)) ? '' : '&') + query;
};

/** Scheme, authority and path, without a slash at the end; and the query without its question mark. */
type Base = readonly [root: string, query: string];

/** @throws EndpointError `INVALID_URL` */
export const parseBaseUrl = cached((text): Base => {
  const [, root, query = ''] =
    /^([a-z][\w+.-]*:\/\/[^/?#{}\\\s]+(?:\/[^?#{}]*?)??)\/?(?:\?([^#{}]*))?(?:#[^{}]*)?$/i.exec(text) ?? [];
  if (root) return [encodeReserved(root), encodeReserved(query)];
  throw unexpected('INVALID_URL', 'a full URL with a host, and no placeholder in it', text);
});

/** Scheme and authority. The host ends where the path, query or fragment begins, not at another placeholder;
 * where it does not, all of the text is taken for the origin, which is then rejected. */
const ORIGIN = /^[a-z][\w+.-]*:\/\/(?:[^/?#{\\\s]+(?=\{?[/?#]|$)|.*)/is;

/** `:name` is a placeholder only as a whole path segment, with or without a file extension. */
const withBraces = (path: string): string => path.replace(/(?<![^/]):([a-z_]\w*)(?![^/.{])/gi, '{$1}');

/** No word can make a dot segment where no literal has a dot, or a host where one stands behind a first slash. */
const isCalm = ({ parts, parts: [first, second] }: Template): boolean =>
  typeof first === 'string' &&
  (/^\/[^/]/.test(first) || (first === '/' && typeof second === 'object' && second.need > 0)) &&
  !parts.some((part) => typeof part === 'string' && /[.%]/.test(part));

/**
 * Takes a path or full URL apart.
 * @throws EndpointError `MISSING_URL`, `INVALID_TEMPLATE`
 */
const parseUrl = (url: unknown): Route => {
  if (typeof url !== 'string' || !url) throw unexpected('MISSING_URL', 'a path or full URL', url);
  const origin = url[0] === '/' ? undefined : ORIGIN.exec(url)?.[0];
  // Only with a slash, which begins what is written out: so it cannot reach into the host before it.
  let template = (origin ? url.slice(origin.length) : url).replace(/^(?=[^/{?#])/, '/');
  if (template.includes('/:')) template = template.replace(/^[^?#]*/, withBraces);
  const compiled = compileTemplate(template);
  const { names } = compiled;
  const omitted = names.size ? new Set([...OPTIONS, ...names]) : OPTIONS;
  return {
    ...compiled,
    origin,
    template,
    omitted,
    hasOptionName: omitted.size < names.size + OPTIONS.size,
    isCalm: isCalm(compiled),
  };
};

const parseKnownUrl: (url: string) => Route = cached(parseUrl);

/** @throws EndpointError `MISSING_URL`, `INVALID_TEMPLATE` */
export const routeOf = (place: Place | undefined, url: string | undefined): Route => {
  if (!place) return parseKnownUrl(url as string);
  place.route ??= parseUrl(place.url);
  return place.route;
};

/**
 * The full URL. No variable changes its origin, which is that of the base URL or of the route.
 * @param query what is left over, without a question mark
 * @param check of the path, expanded
 * @throws EndpointError `MISSING_VARIABLE`, `UNSAFE_VALUE`, `INVALID_URL`, `INVALID_VALUE`
 */
export const locate = (
  route: Route,
  baseUrl: string | undefined,
  values: Values,
  query: string,
  check?: (template: string, path: string) => void,
): string => {
  const { parts, template, origin } = route;
  const url = expand(parts, values);
  const [root, baseQuery] = parseBaseUrl(origin ?? (baseUrl as string));
  check?.(template, pathOf(url));
  const isSafe = route.isCalm && values.areWords;
  // Most URLs have neither of both, as the first test finds at once. What does not begin with a slash would lengthen the host before
  // it: `.evil.example`, `@evil.example`. The author of a route may climb with `..`; a value may not add to that.
  if (!isSafe && /^[^/]|\/[.%/]/.test(url) && (/^[^/?#]/.test(url) || hazardsOf(url) > hazardsOf(template))) {
    throw unexpected('UNSAFE_VALUE', 'no dot segments and no host', pathOf(url));
  }
  const isPath = isSafe && route.isPath;
  return root + addQuery(addQuery(url, baseQuery, isPath), query, isPath && baseQuery === '');
};
