import type { ContentSources } from '@watchword/protocol';

export interface HeaderOptions {
  readonly language: string;
  readonly formTargets: readonly string[];
  /** Hosts of the pictures on this page. */
  readonly pictureHosts: readonly string[];
  /** URLs that the page loads in frames. */
  readonly frames: readonly string[];
  /** The base URL is https. */
  readonly isHttps: boolean;
  /** The script of this page can send requests to this server. */
  readonly mayFetch: boolean;
  /** The page can show pages of this server in frames. */
  readonly mayFrame?: boolean;
  /** Pages of this server can show the page in a frame. */
  readonly isFramed?: boolean;
}

export interface DocumentHeaderOptions {
  readonly contentType: string;
  readonly formTargets: readonly string[];
  readonly isHttps: boolean;
  /** Their grammar is already checked. */
  readonly allow: ContentSources;
}

const twoYears = 63_072_000;

const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Headers of every page: no scripts or pictures of other sites, no frame around the page, no `Referer` with its address, and
 * no access to the window that opened the page or that it opens.
 */
export function pageHeaders(options: HeaderOptions): Record<string, string> {
  const { language, formTargets, pictureHosts, frames, isHttps, mayFetch, mayFrame, isFramed } = options;
  const allow = {
    pictures: pictureHosts.map((host) => `https://${host}`),
    ...(mayFetch && { connections: [] }),
    ...(mayFrame === true && { frames: [] }),
  };
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    ...guardingHeaders(contentSecurityPolicy(allow, formTargets, frames, isFramed), isHttps, isFramed),
  };
}

/** The same for a document of a module, with the sources that the module needs. */
export function documentHeaders(options: DocumentHeaderOptions): Record<string, string> {
  const { contentType, formTargets, isHttps, allow } = options;
  return {
    'content-type': contentType,
    ...guardingHeaders(contentSecurityPolicy(allow, formTargets), isHttps),
  };
}

function guardingHeaders(policy: string, isHttps: boolean, isFramed = false): Record<string, string> {
  return {
    vary: 'Accept-Language, Cookie',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'x-frame-options': isFramed ? 'SAMEORIGIN' : 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': permissions,
    ...(isHttps && { 'strict-transport-security': `max-age=${twoYears}` }),
  };
}

/** @param framed URLs that the page loads in frames; it loads no others, not even of this server */
function contentSecurityPolicy(
  allow: ContentSources,
  formTargets: readonly string[],
  framed: readonly string[] = [],
  isFramed = false,
): string {
  const { scripts = [], styles = [], pictures = [], fonts, connections, frames, forms = [] } = allow;
  return [
    "default-src 'none'",
    directive('script-src', scripts),
    directive('style-src', styles),
    ...(connections === undefined ? [] : [directive('connect-src', connections)]),
    ...(fonts === undefined ? [] : [directive('font-src', fonts)]),
    ...(frames === undefined ? [] : [directive('frame-src', frames)]),
    ...(framed.length === 0 ? [] : [['frame-src', ...new Set(framed.map(frameSource))].join(' ')]),
    directive('img-src', pictures),
    // Browsers also apply this to the redirect that answers a form.
    directive('form-action', [...formTargets.map(formSource), ...forms]),
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    "base-uri 'none'",
  ].join('; ');
}

function directive(name: string, sources: readonly string[]): string {
  return [name, "'self'", ...new Set(sources)].join(' ');
}

/** The URL without its query, or as much of it as the grammar of CSP can have. */
function frameSource(url: string): string {
  const { protocol, host, origin, pathname } = new URL(url);
  if (!/^[a-z0-9._-]+(?::\d+)?$/i.test(host)) return protocol;
  return /^[A-Za-z0-9\-._~!$&()*+=:@%/]*$/.test(pathname) ? `${origin}${pathname}` : origin;
}

/** @throws Error for a text that is neither an origin nor a scheme, because it could add another directive */
function formSource(target: string): string {
  const [scheme] = /^[a-z][a-z0-9+.-]*:(?=$|\/\/)/i.exec(target) ?? [];
  if (scheme !== undefined) {
    // The grammar of CSP has no IPv6 address.
    if (/^https?:\/\/\[[0-9a-f:.]+\](?::\d+)?$/i.test(target)) return scheme;
    if (scheme === target || /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/i.test(target)) return target;
  }
  throw new Error('expected an origin or a scheme as the target of a form, got another text');
}
