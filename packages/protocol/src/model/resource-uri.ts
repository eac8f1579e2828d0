import { redirectUriProblem } from './redirect-uri.ts';

/** The problem of a URI that is to name a resource server (RFC 8707 §2); `undefined` if there is none. */
export function resourceUriProblem(uri: string): string | undefined {
  if (!/^https?:/i.test(uri)) return 'is no absolute URI with https, or with http on a loopback host';
  if (uri.includes('#'))
    return 'has a fragment, which the URI of a resource cannot have (RFC 8707 section 2)';
  if (uri.includes('*')) return 'has a wildcard; it must name one resource';
  return redirectUriProblem(uri);
}

/**
 * The same for all spellings of a URI: an empty path is `/`, and scheme and host have no capitals (RFC 3986 §6.2). `undefined` if it
 * cannot name a resource server.
 */
export function comparedResourceUri(uri: string): string | undefined {
  return resourceUriProblem(uri) === undefined ? URL.parse(uri)?.href : undefined;
}
