/**
 * A browser and its system in the words of a person, from the header `User-Agent`. Browsers have frozen that header, so a short table
 * stays true, and no text of the header itself is kept: the result has only words of this table.
 */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
  ['curl', /^curl\//],
];

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

// A longer header is none of a browser, and costs time.
const maxLength = 512;

/** @returns `''` if nothing is known */
export function deviceOf(userAgent = ''): string {
  const text = userAgent.slice(0, maxLength);
  const named = [browsers, systems].flatMap(
    (table) => table.find(([, pattern]) => pattern.test(text))?.[0] ?? [],
  );
  return named.join(', ');
}
