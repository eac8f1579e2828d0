import type { Endpoint } from './endpoint.ts';

/** Path of the metadata below the base URL. */
export const metadataPath = '/.well-known/oauth-authorization-server';

/** The same for OpenID Connect Discovery §4. */
const openidPath = '/.well-known/openid-configuration';

// Seconds for which a client can continue to use metadata that has changed.
const maxAge = 300;

/**
 * The addresses of the metadata (RFC 8414 §3, OpenID Connect Discovery §4): below the base URL and, if the base URL has a path,
 * also with the well-known part between host and path (RFC 8414 §3.1, §5). The metadata is public and the same for all callers.
 */
export function metadataRoutes(prefix: string, metadata: () => object): Endpoint[] {
  const GET = () => ({ body: metadata(), caching: `public, max-age=${maxAge}` });
  const paths = [metadataPath, openidPath].flatMap((path) =>
    prefix === '' ? [path] : [`${prefix}${path}`, `${path}${prefix}`],
  );
  return paths.map((path) => ({ path, methods: { GET }, origins: 'every' }));
}
