import type { Endpoint } from './endpoint.ts';

/** Path of the metadata below the base URL. */
export const metadataPath = '/.well-known/oauth-authorization-server';

// Seconds: for so long a client can go on with metadata that has just changed.
const maxAge = 300;

/**
 * Where the metadata stands (RFC 8414 §3): below the base URL, and, when that has a path, also with the
 * well-known part put between host and path, as §3.1 asks. It is public and the same for all callers.
 */
export function metadataRoutes(prefix: string, metadata: object): Endpoint[] {
  const GET = () => ({ body: metadata, caching: `public, max-age=${maxAge}` });
  const paths = prefix === '' ? [metadataPath] : [`${prefix}${metadataPath}`, `${metadataPath}${prefix}`];
  return paths.map((path) => ({ path, methods: { GET }, origins: 'every' }));
}
