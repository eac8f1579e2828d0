import type { AuthorizationServerMetadata } from '@watchword/protocol';
import type { OriginCheck } from './cors.ts';
import type { Endpoint } from './endpoint.ts';

/** Path of the metadata below the base URL. */
export const metadataPath = '/.well-known/oauth-authorization-server';

/**
 * Where the metadata stands (RFC 8414 §3): below the base URL, and, when that has a path, also with the
 * well-known part put between host and path, as §3.1 asks.
 */
export function metadataRoutes(
  prefix: string,
  metadata: () => AuthorizationServerMetadata,
  origins: OriginCheck,
): Endpoint[] {
  const methods = { GET: async () => metadata() };
  const paths = prefix === '' ? [metadataPath] : [`${prefix}${metadataPath}`, `${metadataPath}${prefix}`];
  return paths.map((path) => ({ path, methods, origins }));
}
