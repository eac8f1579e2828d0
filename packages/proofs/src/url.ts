import { platform } from './platform.ts';

/**
 * A URL in one spelling, without query and fragment (RFC 9449 §4.3, RFC 3986 §6.2.2 and §6.2.3); `undefined` if it is no absolute URL of
 * http or https, or names a user.
 */
export function normalizedUrl(url: string): string | undefined {
  // A parser would remove white space, and turn a backslash around.
  if (/[\s\\]/.test(url) || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url)) return undefined;
  try {
    const { origin, pathname } = new platform.URL(url);
    return `${origin}${pathname.replaceAll(/%[\da-f]{2}/gi, inOneSpelling)}`;
  } catch {
    return undefined;
  }
}

function inOneSpelling(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
}
