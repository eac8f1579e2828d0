import { characterAt, withHidden } from './hidden-characters.ts';

const maxLength = 2000;

const absolutePattern = /^[a-z][a-z0-9+.-]*:./is;

// RFC 3986 §2. A wildcard and a fragment have problems of their own.
const noUriCharacter = /[^A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]/u;

// A host as browsers and a Content-Security-Policy write it, as text: URL parsers take `a,b` and `a;b` for hosts too,
// decode %2E and skip slashes.
const webHostPattern = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d*)?(?=[/?]|$)/i;

/**
 * The problem of a redirect URI for registration; `undefined` if there is none.
 *
 * `https` anywhere, `http` on a loopback host (RFC 8252 §7.3), and private-use schemes in reverse domain
 * form (RFC 8252 §7.1). Everything else (`javascript:`, `data:`, `file:`, …) could run or read something
 * in the user's browser. Letters of scheme and host can be capitals (RFC 3986 §3.1, §3.2.2).
 */
export function redirectUriProblem(uri: string): string | undefined {
  const problem = brokenRule(uri);
  return problem && withHidden(problem, uri);
}

function brokenRule(uri: string): string | undefined {
  if (uri.length > maxLength) return `is longer than ${maxLength} characters`;
  const malformed = syntaxProblem(uri);
  if (malformed !== undefined) return malformed;
  // Read from the text: of an empty user name the parser leaves no trace.
  if (/^[^/?]*\/\/[^/?]*@/.test(uri)) return 'holds a user name or password';
  const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase();
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

function syntaxProblem(uri: string): string | undefined {
  if (!absolutePattern.test(uri)) return 'is not absolute; it must begin with a scheme such as https:';
  if (uri.includes('#')) return 'has a fragment, which a redirect URI cannot have (RFC 6749 section 3.1.2)';
  if (uri.includes('*')) return 'has a wildcard; redirect URIs are compared character by character';
  const wrong = characterAt(uri, noUriCharacter);
  if (wrong !== undefined) {
    return `has a character that no URI has, ${wrong}: a space, quote, backslash, or one outside of ASCII; encode it`;
  }
  return URL.canParse(uri) ? undefined : 'is no URI: its host or port is malformed';
}

/** Whether the URI is an address of a web server, which is neither this machine nor an application on it. */
export function isWebAddress(uri: string): boolean {
  return /^https:/i.test(uri) && URL.canParse(uri) && !isLoopbackHost(new URL(uri).hostname);
}

/** Whether a host name, as `URL.hostname` gives it, always means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
