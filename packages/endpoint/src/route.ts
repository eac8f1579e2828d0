import { cached } from './cached.ts';
import { unexpected } from './endpoint-error.ts';
import { checkPath, checkStrictly, pathOf } from './hazards.ts';
import { checkMethod } from './headers.ts';
import { OPTIONS } from './settings.ts';
import { compileTemplate, type Template } from './template/compile-template.ts';
import { expand } from './template/expand.ts';
import { encodeReserved } from './template/percent-encode.ts';
import type { Parameters } from './types/options.ts';

/** A URL, taken apart. */
export interface Route extends Template {
  /** Scheme and authority, or empty. */
  readonly origin: string;
  /** Path, query and fragment, with their placeholders. */
  readonly template: string;
  /** What is neither query nor body: the names of all variables, and of all options. Undefined if a variable is called as an option. */
  readonly omitted: ReadonlySet<string> | undefined;
  /** Whether no word as a value makes a host or a dot segment of it: it has no dot, and no slash behind its first one. */
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

/** Puts more pairs behind those of a query, or of a URL that has one. */
const addPairs = (query: string, more: string): string =>
  query && more && !/[?&]$/.test(query) ? `${query}&${more}` : query + more;

/** Scheme, authority and path, without a slash at the end; and the query without its question mark. */
type Base = readonly [root: string, query: string];

/** @throws EndpointError `INVALID_URL` */
export const parseBaseUrl = cached((text): Base => {
  const [, root, query = ''] =
    /^([a-z][\w+.-]*:\/\/[^/?#{}\\\s]+(?:\/[^?#{}]*?)??)\/?(?:\?([^#{}]*))?(?:#[^{}]*)?$/i.exec(text) ?? [];
  if (root) return [root, query].map(encodeReserved) as [string, string];
  throw unexpected('INVALID_URL', 'a full URL with a fixed host', text);
});

/** Scheme and authority. The host ends where the path, query or fragment begins, not at another placeholder;
 * where it does not, all of the text is taken for the origin, which is then rejected. */
const ORIGIN = /^[a-z][\w+.-]*:\/\/(?:[^/?#{\\\s]+(?=\{?[/?#]|$)|.*)/is;

/**
 * Takes a path or full URL apart.
 * @throws EndpointError `MISSING_URL`, `INVALID_TEMPLATE`
 */
const parseUrl = (url: unknown): Route => {
  if (typeof url !== 'string' || !url) throw unexpected('MISSING_URL', 'a path or full URL', url);
  const origin = url[0] === '/' ? '' : (ORIGIN.exec(url)?.[0] ?? '');
  let template = url.slice(origin.length);
  // Only with a slash, which begins what is written out: so it cannot reach into the host before it.
  if (/^[^/{?#]/.test(template)) template = `/${template}`;
  if (template.includes('/:')) {
    // `:name` is a placeholder only as a whole path segment, with or without a file extension. What follows the path stays.
    template = template.replace(/(?<![^/]):([a-z_]\w*)(?![^/.{?#])|[?#].*/gis, (rest, name) =>
      name ? `{${name}}` : rest,
    );
  }
  const compiled = compileTemplate(template);
  const { names } = compiled;
  const omitted = names.size ? new Set([...OPTIONS, ...names]) : OPTIONS;
  return {
    ...compiled,
    origin,
    template,
    omitted: omitted.size < names.size + OPTIONS.size ? undefined : omitted,
    isCalm: /^\/(?!\{?[./;?&#])[^.%]*$/.test(template),
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
 * @param given parameters of the call, over those of the defaults
 * @throws EndpointError `MISSING_VARIABLE`, `UNSAFE_VALUE`, `INVALID_URL`, `INVALID_VALUE`
 */
export const locate = (
  route: Route,
  baseUrl: string | undefined,
  query: string,
  strict: boolean | undefined,
  given: Parameters | undefined,
  parameters: Parameters | undefined,
): string => {
  const { parts, template, origin } = route;
  const { text: url, areWords } = expand(parts, strict ? 2 : 1, given, parameters);
  const [root, baseQuery] = parseBaseUrl(origin || (baseUrl as string));
  const isSafe = route.isCalm && areWords;
  if (!isSafe) checkPath(template, url);
  if (strict) checkStrictly(template, pathOf(url));
  const pairs = addPairs(baseQuery, query);
  if (!pairs) return root + url;
  if (isSafe && route.isPath) return `${root}${url}?${pairs}`;
  const end = url.indexOf('#');
  const begin = end < 0 ? url : url.slice(0, end);
  return root + addPairs(begin.includes('?') ? begin : `${begin}?`, pairs) + url.slice(begin.length);
};
