const page = '/client/client.html';

/** The base URL of the server that this page came from, without a slash at its end. */
export function baseUrlOf({ origin, pathname }: Pick<Location, 'origin' | 'pathname'>): string {
  const prefix = pathname.endsWith(page) ? pathname.slice(0, -page.length) : '';
  return `${origin}${prefix}`;
}

/** Where the authorization server sends the browser back to. */
export function redirectUriOf(baseUrl: string): string {
  return `${baseUrl}${page}`;
}
