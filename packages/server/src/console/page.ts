import { pageHeaders } from '../pages/headers.ts';
import type { ConsoleTexts } from './texts.ts';

/** The data of the server for the page. */
export interface ConsolePageOptions {
  /** The HTML of the build. `{key}` in it is a text; `<!--session …-->` is only for a browser with a session. */
  readonly page: string;
  readonly texts: ConsoleTexts;
  /** The base URL, at which the page gets its tokens. */
  readonly issuer: string;
  /** Other base URLs at which the page can get tokens. */
  readonly alternatives: readonly string[];
  readonly productName: string;
  /** Path of the picture next to the product name. */
  readonly logo: string;
  /** Path of the stylesheet with the variables of the operator; absent if there is none. */
  readonly theme?: string | undefined;
  readonly version: string;
  /** Lifetime in seconds of an implicit-grant token whose client has no expiry. */
  readonly implicitLifetime: number;
  /** The algorithms with which the server signs JWTs. */
  readonly signingAlgorithms: readonly string[];
  /** Whether the page gets its tokens by codes, and not by the implicit grant. */
  readonly usesCodes: boolean;
  /** Whether users log in with local accounts. */
  readonly hasLocalAccounts: boolean;
  /** Whether the browser has a cookie of a login: then the page needs its files at once, and signs in without leaving. */
  readonly hasSession: boolean;
}

/** The page in its language, with the data of the server in its head. */
export function consolePage({ page, texts, ...described }: ConsolePageOptions): string {
  const { issuer, alternatives, productName, logo, theme, version, hasSession } = described;
  const textsAddress = `.${texts.file.path.slice('/client'.length)}`;
  const metadata = {
    issuer,
    alternatives: alternatives.join(' '),
    'product-name': productName,
    logo,
    version,
    'implicit-lifetime': String(described.implicitLifetime),
    'signing-algorithms': described.signingAlgorithms.join(' '),
    codes: String(described.usesCodes),
    'local-accounts': String(described.hasLocalAccounts),
    session: String(hasSession),
    texts: textsAddress,
  };
  const lines = [
    ...Object.entries(metadata).map(
      ([name, content]) => `<meta name="watchword-${name}" content="${escaped(content)}">`,
    ),
    `<link rel="icon" href="${escaped(logo)}">`,
    ...(theme === undefined ? [] : [`<link rel="stylesheet" href="${escaped(theme)}">`]),
    ...(hasSession ? [`<link rel="preload" as="fetch" crossorigin href="${escaped(textsAddress)}">`] : []),
  ];
  return (
    page
      .replace('<html lang="en">', `<html lang="${texts.language}" dir="${texts.direction}">`)
      .replace(/<!--session\s(.*?)-->/s, hasSession ? '$1' : '')
      .replaceAll(/\{(\w+\.\w+)\}/g, (_, key) => escaped(texts.table[key] ?? key))
      // A function, because `$&` in a replacement text has a special meaning.
      .replace('</head>', () => `${lines.join('\n')}\n</head>`)
  );
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/**
 * Scripts and styles come only from this server, and none is inline. The page sends requests only to this server, and no text
 * becomes markup (Trusted Types). Preact sets single styles through the object model, which this policy allows.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  // Previews of pages.
  "frame-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export function consoleHeaders(isHttps: boolean, language: string): Record<string, string> {
  const common = pageHeaders({
    language,
    formTargets: [],
    pictureHosts: [],
    frames: [],
    isHttps,
    mayFetch: false,
  });
  return { ...common, 'content-security-policy': contentSecurityPolicy };
}
