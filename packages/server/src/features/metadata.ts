import { authorizationServerMetadata, type ResponseTypes } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { metadataRoutes } from '../http/metadata.ts';
import type { Feature } from './feature.ts';

/** The metadata of the authorization server (RFC 8414) and OpenID provider (OpenID Connect Discovery §4), with what all features add to it. */
export function metadata(
  { authentication, baseUrl, prefix }: Pick<Core, 'authentication' | 'baseUrl' | 'prefix'>,
  features: readonly Feature[],
  responseTypes: ResponseTypes,
): Feature {
  const membersOf = (): object =>
    Object.assign(
      authorizationServerMetadata(baseUrl, {
        grantTypes: features.flatMap(({ grantTypes = [] }) => grantTypes),
        responseTypes,
        authenticationMethods: authentication.authenticationMethods,
      }),
      ...features.map(({ metadata }) => metadata),
    );
  // Made for the first request: a start does not pay for what few requests ask.
  let members: object | undefined;
  return {
    hostEndpoints: metadataRoutes(prefix, () => {
      members ??= membersOf();
      return members;
    }),
  };
}
