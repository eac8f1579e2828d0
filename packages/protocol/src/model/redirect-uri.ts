const maxLength = 2000;

// Characters of RFC 3986 §2, without `*` and `#`: a wildcard is never meant literally, a fragment is
// forbidden by RFC 6749 §3.1.2. No space, control or non-ASCII character, no backslash.
const uriPattern = /^[a-z][a-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;

// A host as browsers and a Content-Security-Policy write it, as text: URL parsers take `a,b` and `a;b` for hosts too,
// decode %2E and skip slashes.
const webHostPattern = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?(?=[/?]|$)/;

/**
 * The problem of a redirect URI for registration; `undefined` if there is none.
 *
 * `https` anywhere, `http` on a loopback host (RFC 8252 §7.3), and private-use schemes in reverse domain
 * form (RFC 8252 §7.1). Everything else (`javascript:`, `data:`, `file:`, …) could run or read something
 * in the user's browser.
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > maxLength) return `is longer than ${maxLength} characters`;
  if (!uriPattern.test(uri) || !URL.canParse(uri)) {
    return 'is not an absolute URI of ASCII characters without fragment and wildcard';
  }
  // Read from the text: of an empty user name the parser leaves no trace.
  if (/^[^/?]*\/\/[^/?]*@/.test(uri)) return 'holds a user name or password';
  const scheme = uri.slice(0, uri.indexOf(':'));
  if (scheme === 'https') {
    return webHostPattern.test(uri) ? undefined : 'lacks // and a host name or address after https:';
  }
  if (scheme === 'http') {
    return webHostPattern.test(uri) && isLoopbackHost(new URL(uri).hostname)
      ? undefined
      : 'uses http, which is for loopback hosts only; use https';
  }
  return scheme.includes('.')
    ? undefined
    : 'has a scheme that is neither https nor a private-use scheme like com.example.app';
}

/** Whether a host name, as `URL.hostname` gives it, always means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
