import { parseSetCookie } from 'cookie';
import { broken, type Finding, ok, warning } from './finding.ts';
import type { Reply } from './send.ts';

type Rule = readonly [name: string, isRight: (value: string) => boolean, expected: string];

const rules: readonly Rule[] = [
  [
    'content-security-policy',
    (value) => value.includes("frame-ancestors 'none'"),
    "one with frame-ancestors 'none'",
  ],
  ['x-frame-options', (value) => value === 'DENY', 'DENY'],
  ['x-content-type-options', (value) => value === 'nosniff', 'nosniff'],
  ['referrer-policy', (value) => value === 'no-referrer', 'no-referrer'],
  ['cache-control', (value) => value.includes('no-store'), 'no-store'],
];
const hsts: Rule = [
  'strict-transport-security',
  (value) => /max-age=[1-9]/.test(value),
  'max-age of two years',
];

/** The headers that protect a page, as a browser gets them. */
export function headerFindings({ headers, url }: Reply): readonly Finding[] {
  const wanted = url.protocol === 'https:' ? [...rules, hsts] : rules;
  const problems = wanted.flatMap(([name, isRight, expected]) => {
    const value = headers[name]?.toString();
    if (value !== undefined && isRight(value)) return [];
    const came = value === undefined ? `has no ${name}` : `has ${name}: ${value.slice(0, 200)}`;
    return [
      broken(`the login page ${came}`, {
        expected: `${name}: ${expected}, as the server sends it`,
        advice: `let the proxy pass ${name} on unchanged, and not add one of its own`,
      }),
    ];
  });
  return problems.length === 0 ? [ok('the login page has its security headers')] : problems;
}

/** The cookies of a page, as a browser would store them or not. */
export function cookieFindings({ headers, url }: Reply, baseUrl: string): readonly Finding[] {
  const texts = headers['set-cookie'] ?? [];
  if (texts.length === 0) {
    return [
      broken('the login page sets no cookie', {
        expected: 'a cookie that recognizes the browser',
        advice:
          'let the proxy pass Set-Cookie on (nginx: no proxy_hide_header Set-Cookie; a cache must not store pages)',
      }),
    ];
  }
  const problems = texts.flatMap((text) => attributeProblems(text, new URL(baseUrl)));
  if (problems.length > 0) return problems;
  return [
    ok(
      `the cookies of ${url.host} have Path, SameSite${url.protocol === 'https:' ? ', Secure' : ''} and HttpOnly`,
    ),
  ];
}

function attributeProblems(text: string, base: URL): readonly Finding[] {
  const { name, path, domain, httpOnly = false, secure = false, sameSite } = parseSetCookie(text);
  const isSecure = base.protocol === 'https:';
  const wrong = [
    ...(path === base.pathname ? [] : [`Path is ${path ?? 'absent'}, expected ${base.pathname}`]),
    ...(secure === isSecure
      ? []
      : [isSecure ? 'Secure is absent' : 'Secure is set, and browsers reject it without https']),
    ...(httpOnly ? [] : ['HttpOnly is absent']),
    ...(String(sameSite).toLowerCase() === 'lax'
      ? []
      : [`SameSite is ${sameSite ?? 'absent'}, expected Lax`]),
    ...(domain === undefined ? [] : [`Domain is ${domain}, expected none`]),
    ...(isSecure && !/^__(?:Host|Secure)-/.test(name) ? ['its name has no prefix __Host- or __Secure-'] : []),
  ];
  if (wrong.length === 0) return [];
  const found = `the cookie ${name} arrives changed: ${wrong.join('; ')}`;
  const advice =
    'let the proxy pass Set-Cookie on unchanged (nginx: no proxy_cookie_path, proxy_cookie_domain or proxy_cookie_flags), and set baseUrl to the address that browsers use';
  return [broken(found, { expected: 'the cookie as the server sets it for its base URL', advice })];
}

/** A page of the server that a cache on the way has stored, for another browser. */
export function ageFinding({ headers }: Reply): readonly Finding[] {
  const age = Number(headers.age ?? 0);
  if (!(age > 0)) return [];
  return [
    warning(`the page comes from a cache (Age: ${age})`, {
      expected: 'a page from the server, because its Cache-Control is no-store',
      advice: 'let the proxy respect Cache-Control, and empty its cache',
    }),
  ];
}
