import { authorizationServerMetadata, type ResponseTypes } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Feature } from './feature.ts';

/** The metadata of the authorization server (RFC 8414) and OpenID provider (OpenID Connect Discovery §4), with what all features add to it. */
export function metadata(
  {
    authentication,
    baseUrl,
    prefix,
    profile,
  }: Pick<Core, 'authentication' | 'baseUrl' | 'prefix' | 'profile'>,
  features: readonly Feature[],
  responseTypes: ResponseTypes,
): Feature {
  // Made for each request: what features say of themselves can change, as the languages of the pages do.
  const members = (): object =>
    Object.assign(
      authorizationServerMetadata(baseUrl, {
        grantTypes: features.flatMap(({ grantTypes = [] }) => grantTypes),
        responseTypes,
        authenticationMethods: authentication.authenticationMethods,
        profile,
      }),
      ...features.map(({ metadata }) => metadata),
    );
  return { hostEndpoints: metadataRoutes(prefix, members) };
}

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
function metadataRoutes(prefix: string, metadata: () => object): Endpoint[] {
  const GET = () => ({ body: metadata(), caching: `public, max-age=${maxAge}` });
  const paths = [metadataPath, openidPath].flatMap((path) =>
    prefix === '' ? [path] : [`${prefix}${path}`, `${path}${prefix}`],
  );
  return paths.map((path) => ({ path, methods: { GET }, origins: 'every' }));
}
