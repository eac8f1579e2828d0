/** Headers that this package or Node.js sets: they decide where a message ends and whom it is for. */
const reserved =
  /^(?:accept-encoding|connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;
/** What a server of another origin gets after a redirect. Any other header can hold credentials. */
const harmless = /^(?:accept|accept-language|user-agent)$/;

/**
 * The caller's headers with names in lower case, and what this package adds.
 *
 * @throws TypeError for a header that the caller cannot set
 */
export function requestHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const forbidden = own.find(([name]) => reserved.test(name));
  if (forbidden !== undefined) throw new TypeError(`the header ${forbidden[0]} cannot be set by the caller`);
  return { ...Object.fromEntries(own), 'accept-encoding': 'gzip' };
}

/** The headers for the URL that a redirect names. */
export function redirectedHeaders(
  headers: Readonly<Record<string, string>>,
  from: URL,
  to: URL,
): Readonly<Record<string, string>> {
  if (from.origin === to.origin) return headers;
  const kept = Object.entries(headers).filter(([name]) => harmless.test(name) || name === 'accept-encoding');
  return Object.fromEntries(kept);
}
