import { authorizationServerMetadata, type ResponseTypes } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { metadataRoutes } from '../http/metadata.ts';
import type { Feature } from './feature.ts';

/** The metadata of the authorization server (RFC 8414), with what all features add to it. */
export function metadata(
  { authentication, baseUrl, prefix }: Pick<Core, 'authentication' | 'baseUrl' | 'prefix'>,
  features: readonly Feature[],
  responseTypes: ResponseTypes,
): Feature {
  const members = Object.assign(
    authorizationServerMetadata(baseUrl, {
      grantTypes: features.flatMap(({ grantTypes = [] }) => grantTypes),
      responseTypes,
      authenticationMethods: authentication.authenticationMethods,
    }),
    ...features.map(({ metadata }) => metadata),
  );
  return { hostEndpoints: metadataRoutes(prefix, members) };
}
