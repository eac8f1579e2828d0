import { pageHeaders } from '../pages/headers.ts';

/** What the page is told of the server that it came from. */
export interface ConsolePageOptions {
  /** HTML as it was built. */
  readonly page: string;
  /** The base URL, under which the page gets its tokens. */
  readonly issuer: string;
  /** Others under which it may do so as well. */
  readonly alternatives: readonly string[];
  readonly productName: string;
  /** Path of the picture beside it. */
  readonly logo: string;
  readonly version: string;
  /** Seconds that an implicit-grant token lives whose client has no expiry. */
  readonly implicitLifetime: number;
}

/** The page, with what it is told in its head. */
export function consolePage({ page, ...described }: ConsolePageOptions): string {
  const { issuer, alternatives, productName, logo, version, implicitLifetime } = described;
  const told = {
    issuer,
    alternatives: alternatives.join(' '),
    'product-name': productName,
    logo,
    version,
    'implicit-lifetime': String(implicitLifetime),
  };
  const lines = [
    ...Object.entries(told).map(
      ([name, content]) => `<meta name="watchword-${name}" content="${escaped(content)}">`,
    ),
    `<link rel="icon" href="${escaped(logo)}">`,
  ];
  // A function, since in a text `$&` would mean something.
  return page.replace('</head>', () => `${lines.join('\n')}\n</head>`);
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/**
 * Scripts and styles come from this server alone, none of them inline; the page talks to this server alone, and no
 * text ever becomes markup (Trusted Types). React sets single styles through the object model, which is no inline
 * style to this policy.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export function consoleHeaders(isHttps: boolean): Record<string, string> {
  const { vary: _, ...common } = pageHeaders({
    language: 'en',
    formTargets: [],
    pictureHosts: [],
    isHttps,
    mayFetch: false,
  });
  return { ...common, 'content-security-policy': contentSecurityPolicy };
}
