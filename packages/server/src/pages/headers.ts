import type { ContentSources } from '@watchword/protocol';

export interface HeaderOptions {
  readonly language: string;
  readonly formTargets: readonly string[];
  /** Hosts of pictures that this page shows. */
  readonly pictureHosts: readonly string[];
  /** The base URL is https. */
  readonly isHttps: boolean;
  /** The script of this page may ask this server for something. */
  readonly mayFetch: boolean;
}

export interface DocumentHeaderOptions {
  readonly contentType: string;
  readonly formTargets: readonly string[];
  readonly isHttps: boolean;
  /** Held to their grammar already. */
  readonly allow: ContentSources;
}

const twoYears = 63_072_000;

const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Headers of every page: no script or picture of elsewhere, no frame around it, no trace of its address, and no tie to the
 * window that opened it or that it opens (docs/adr/0035).
 */
export function pageHeaders(options: HeaderOptions): Record<string, string> {
  const { language, formTargets, pictureHosts, isHttps, mayFetch } = options;
  const allow = {
    pictures: pictureHosts.map((host) => `https://${host}`),
    ...(mayFetch && { connections: [] }),
  };
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    ...guardingHeaders(contentSecurityPolicy(allow, formTargets), isHttps),
  };
}

/** The same for a document of a module's, with what that needs. */
export function documentHeaders(options: DocumentHeaderOptions): Record<string, string> {
  const { contentType, formTargets, isHttps, allow } = options;
  return {
    'content-type': contentType,
    ...guardingHeaders(contentSecurityPolicy(allow, formTargets), isHttps),
  };
}

function guardingHeaders(policy: string, isHttps: boolean): Record<string, string> {
  return {
    vary: 'Accept-Language',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': permissions,
    ...(isHttps && { 'strict-transport-security': `max-age=${twoYears}` }),
  };
}

function contentSecurityPolicy(allow: ContentSources, formTargets: readonly string[]): string {
  const { scripts = [], styles = [], pictures = [], fonts, connections, frames, forms = [] } = allow;
  return [
    "default-src 'none'",
    directive('script-src', scripts),
    directive('style-src', styles),
    ...(connections === undefined ? [] : [directive('connect-src', connections)]),
    ...(fonts === undefined ? [] : [directive('font-src', fonts)]),
    ...(frames === undefined ? [] : [directive('frame-src', frames)]),
    directive('img-src', pictures),
    // Browsers hold the redirect that answers a form to this as well.
    directive('form-action', [...formTargets.map(formSource), ...forms]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function directive(name: string, sources: readonly string[]): string {
  return [name, "'self'", ...new Set(sources)].join(' ');
}

/** @throws Error for what is neither an origin nor a scheme, for it could be another directive */
function formSource(target: string): string {
  const [scheme] = /^[a-z][a-z0-9+.-]*:(?=$|\/\/)/i.exec(target) ?? [];
  if (scheme !== undefined) {
    // The grammar of CSP has no IPv6 address.
    if (/^https?:\/\/\[[0-9a-f:.]+\](?::\d+)?$/i.test(target)) return scheme;
    if (scheme === target || /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/i.test(target)) return target;
  }
  throw new Error('expected an origin or a scheme as the target of a form');
}
