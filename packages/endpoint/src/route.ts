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

/** Where the query or fragment of a URL or a template begins. */
export const endOfPath = (url: string): number => url.search(/\{?[?#]|$/);

/** Only those of the path: a query has no segments. */
const hazardsOf = (url: string): number => countHazards(url) - countHazards(url.slice(endOfPath(url)));

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
  /** Whether no word as a value of the path makes a host or a dot segment of it. */
  readonly isCalm: boolean;
  /** Whether what follows the path is a query, or vanishes. */
  readonly isSimple: boolean;
}

/** What a route names. */
export interface Place {
  /** Lower case. */
  readonly method: string;
  readonly url: string;
  /** The URL, taken apart when that is first needed. */
  route?: Route;
}

/** Method, and URL. Other blanks than one space, other methods and text without a method are seen by the slow way. */
const USUAL = /^(GET|POST|PATCH|PUT|DELETE|HEAD) (?=\/)/;

/**
 * `GET /users` -> method and URL; a URL alone goes with GET, and a method alone has an empty URL.
 * @throws EndpointError `INVALID_METHOD`
 */
export const splitRoute = cached((route): Place => {
  const usual = USUAL.exec(route)?.[1];
  if (usual) return { method: checkMethod(usual), url: route.slice(usual.length + 1) };
  const [, method = 'get', url = route] = /^(?![/{?#]|\S*:\/\/)(\S+(?=\s)|[A-Z]+$)\s*(.*)/s.exec(route) ?? [];
  return { method: checkMethod(method), url };
});

/** @param hasQuery whether `head` has a question mark */
const joinQuery = (head: string, query: string, hasQuery: boolean): string => {
  if (!query) return head;
  if (!hasQuery) return `${head}?${query}`;
  const last = head[head.length - 1];
  return last === '?' || last === '&' ? head + query : `${head}&${query}`;
};

/** Puts `query`, which has no question mark, behind the query of `url` and before its fragment. */
const appendQuery = (url: string, query: string): string => {
  if (!query) return url;
  const end = url.indexOf('#');
  const head = end < 0 ? url : url.slice(0, end);
  return joinQuery(head, query, head.includes('?')) + url.slice(head.length);
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

/** Only with a slash, which begins what is written out: so it cannot reach into the host before it. */
const withSlash = (path: string): string => path.replace(/^(?=[^/{?#])/, '/');

/** `:name` is a placeholder only as a whole path segment, with or without a file extension. */
const withBraces = (path: string): string => path.replace(/(?<![^/]):([a-z_]\w*)(?![^/.{])/gi, '{$1}');

/** No word can make a dot segment where the path has no dot, or a host where one stands behind a first slash. */
const isCalm = ({ parts, parts: [first, second], pathLength }: Template): boolean =>
  typeof first === 'string' &&
  (/^\/[^/]/.test(first) || (first === '/' && typeof second === 'object' && second.isRequired)) &&
  parts.every((part, index) => index >= pathLength || typeof part !== 'string' || !/[.%]/.test(part));

/** A literal query, or an expression of a query, and nothing else that changes what is query. */
const isSimple = ({ parts, pathLength }: Template): boolean =>
  parts.every((part, index) =>
    typeof part === 'string'
      ? index < pathLength || !part.includes('#')
      : !part.operator.isReserved && (index >= pathLength || part.operator.symbol !== '&'),
  );

/**
 * Takes a path or full URL apart.
 * @throws EndpointError `MISSING_URL`, `INVALID_TEMPLATE`
 */
const parseUrl = (url: unknown): Route => {
  if (typeof url !== 'string' || !url) throw unexpected('MISSING_URL', 'a path or full URL', url);
  const origin = url[0] === '/' ? undefined : ORIGIN.exec(url)?.[0];
  let template = withSlash(origin ? url.slice(origin.length) : url);
  if (template.includes('/:')) {
    const end = template.search(/[?#]/);
    template = end < 0 ? withBraces(template) : withBraces(template.slice(0, end)) + template.slice(end);
  }
  const compiled = compileTemplate(template);
  const { parts, names, pathLength } = compiled;
  const omitted = names.size ? new Set([...OPTIONS, ...names]) : OPTIONS;
  return {
    origin,
    template,
    parts,
    names,
    pathLength,
    omitted,
    hasOptionName: omitted.size < names.size + OPTIONS.size,
    isCalm: isCalm(compiled),
    isSimple: isSimple(compiled),
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
  check?: (route: Route, path: string) => void,
): string => {
  const { parts, pathLength, template } = route;
  const path = expand(parts, values, 0, pathLength, true);
  check?.(route, path);
  // Most paths have no query, fragment or dot segment. This test finds that at once.
  const isSafe = (route.isCalm && values.areWords) || !/^[^/]|[?#]|\/[.%/]/.test(path);
  const rest = pathLength < parts.length ? expand(parts, values, pathLength, parts.length, true) : '';
  const [root, baseQuery] = parseBaseUrl(route.origin ?? (baseUrl as string));
  if (isSafe && route.isSimple && (rest === '' || rest[0] === '?')) {
    const url = root + path;
    if (rest === '' && baseQuery === '') return query === '' ? url : `${url}?${query}`;
    return joinQuery(joinQuery(url + rest, baseQuery, rest !== ''), query, true);
  }
  const whole = path + rest;
  // What does not begin with a slash would lengthen the host before it: `.evil.example`, `@evil.example`. The author of a
  // route may climb with `..`; a value may not add to that.
  if (/^[^/?#]/.test(whole) || hazardsOf(whole) > hazardsOf(template)) {
    // Without its query, which may hold a secret.
    throw unexpected('UNSAFE_VALUE', 'no dot segments and no host', whole.slice(0, endOfPath(whole)));
  }
  return root + appendQuery(appendQuery(whole, baseQuery), query);
};
