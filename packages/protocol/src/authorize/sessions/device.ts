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

// At most 2 MB, as each can keep the head of its request. A login asks three times, and many browsers send the same.
const most = 100;
const known = new Map<string, string>();

/** @returns `''` if nothing is known */
export function deviceOf(userAgent = ''): string {
  const text = userAgent.slice(0, maxLength);
  const found = known.get(text);
  if (found !== undefined) return found;
  const named = [browsers, systems].flatMap(
    (table) => table.find(([, pattern]) => pattern.test(text))?.[0] ?? [],
  );
  const device = named.join(', ');
  if (known.size >= most) known.clear();
  known.set(text, device);
  return device;
}
