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

const twoYears = 63_072_000;

const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Headers of every page: no script or picture of elsewhere, no frame around it, no trace of its address, and no tie to the
 * window that opened it or that it opens (docs/adr/0035).
 */
export function pageHeaders(options: HeaderOptions): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': options.language,
    vary: 'Accept-Language',
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy(options),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': permissions,
    ...(options.isHttps && { 'strict-transport-security': `max-age=${twoYears}` }),
  };
}

function contentSecurityPolicy({ formTargets, pictureHosts, mayFetch }: HeaderOptions): string {
  const pictures = pictureHosts.map((host) => `https://${host}`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...(mayFetch ? ["connect-src 'self'"] : []),
    ['img-src', "'self'", ...new Set(pictures)].join(' '),
    // Browsers hold the redirect that answers a form to this as well.
    ['form-action', "'self'", ...new Set(formTargets.map(formSource))].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
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
