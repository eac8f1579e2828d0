import { cached } from './cached.ts';
import { EndpointError } from './endpoint-error.ts';
import { toToken } from './headers.ts';
import { compileTemplate } from './template/compile-template.ts';
import { encodeReserved } from './template/percent-encode.ts';

// Scheme and authority. The host ends where the path, query or fragment begins, not at another placeholder; where it does
// not, all of the text is the match.
const ORIGIN = /^[a-z][\w+.-]*:\/\/(?:([^/?#{]+)(?=\{?[/?#]|$)|.*)/is;

// `:name` is a placeholder only as a whole path segment, with or without a file extension.
const COLON_PLACEHOLDER = /(^|\/):([a-z_]\w*)(?=[/.{]|$)/gi;

// Dot segments as URL parsers see them: RFC 3986 section 5.2.4, and %2e as the WHATWG URL standard has it.
const DOT_SEGMENTS = /(?:^|\/)(?:\.|%2e){1,2}(?=\{?[?#]|\/|$)/i;

function countDotSegments(path: string): number {
  return path.split(DOT_SEGMENTS).length;
}

export interface Route {
  /** The names of all variables: what is neither query nor body. */
  readonly names: ReadonlySet<string>;
  /**
   * The full URL. Whatever the variables are, its origin is the base URL's, or the route's own.
   * @throws EndpointError `MISSING_VARIABLE`, `UNSAFE_VALUE`, `INVALID_URL`, `INVALID_VALUE`
   */
  readonly locate: (baseUrl: string | undefined, variables: object, query?: string) => string;
}

/**
 * In lower case.
 * @throws EndpointError `INVALID_METHOD`
 */
export function checkMethod(method: unknown): string {
  return toToken(method, 'INVALID_METHOD', 'an HTTP method');
}

/**
 * `GET /users` -> method and URL; a URL alone goes with GET, and a method alone has an empty URL.
 * @throws EndpointError `INVALID_METHOD`
 */
export const splitRoute = cached((route) => {
  const [, method = 'get', url = route] = /^(?![/{?#]|\S*:\/\/)(\S+(?=\s)|[A-Z]+$)\s*(.*)/s.exec(route) ?? [];
  return { method: checkMethod(method), url };
});

/** Puts `query`, which begins with a question mark, behind the query of `url` and before its fragment. */
function appendQuery(url: string, query: string): string {
  return url.replace(
    /^[^#]*/,
    (head) => head + (head.includes('?') ? query.replace('?', /[?&]$/.test(head) ? '' : '&') : query),
  );
}

interface Base {
  /** Scheme, authority and path, without a slash at the end. */
  readonly root: string;
  /** With its question mark. */
  readonly query: string;
}

/** @throws EndpointError `INVALID_URL` */
export const parseBaseUrl = cached((text): Base => {
  if (!ORIGIN.exec(text)?.[1]) {
    throw new EndpointError('INVALID_URL', 'a full URL with a fixed host', text);
  }
  const [, root = '', query = ''] = /^(.*?)\/?(\?[^#]*)?(?:#.*)?$/.exec(encodeReserved(text)) ?? [];
  return { root, query };
});

/**
 * Takes a path or full URL apart; the result is cached.
 * @throws EndpointError `MISSING_URL`, `INVALID_TEMPLATE`, or `INVALID_URL` for a placeholder in the place of the host
 */
export const parseRoute = cached((url): Route => {
  if (typeof url !== 'string' || !url) throw new EndpointError('MISSING_URL', 'a path or full URL', url);
  const [origin = ''] = ORIGIN.exec(url) ?? [];
  const rest = url
    .slice(origin.length)
    .replace(/^[^?#]*/, (path) => path.replace(COLON_PLACEHOLDER, '$1{$2}'));
  const { names, expand } = compileTemplate(rest, true);
  // The author of a route may climb with `..`; a value may not add to that.
  const ownDotSegments = countDotSegments(rest);
  return {
    names,
    locate(baseUrl, variables, query = '') {
      const path = expand(variables);
      const base = parseBaseUrl(origin || (baseUrl as string));
      // Most paths have no query, fragment or dot segment to look after, which this tells at once.
      if (!base.query && !/^[^/]|[?#]|\/[.%]/.test(path)) return base.root + path + query;
      if (countDotSegments(path) > ownDotSegments) {
        throw new EndpointError('UNSAFE_VALUE', 'values that add no "." or ".." segment to the path', path);
      }
      // A path begins with a slash, so that no value can reach into the host before it.
      const rooted = path.replace(/^(?=[^/?#])/, '/');
      return base.root + appendQuery(appendQuery(rooted, base.query), query);
    },
  };
});
