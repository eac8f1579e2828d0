import type { GrantType } from './grants/grant-type.ts';

/** Authorization server metadata (RFC 8414 §2). */
export interface AuthorizationServerMetadata {
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly revocation_endpoint: string;
  readonly revocation_endpoint_auth_methods_supported: readonly string[];
  readonly introspection_endpoint: string;
  readonly introspection_endpoint_auth_methods_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly response_types_supported: readonly string[];
}

const secretMethods = ['client_secret_basic', 'client_secret_post'];

/** @param issuer the base URL, without a slash at its end; endpoints are named relative to it */
export function authorizationServerMetadata(
  issuer: string,
  grantTypes: readonly GrantType[],
): AuthorizationServerMetadata {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    token_endpoint_auth_methods_supported: secretMethods,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    // A public client may give back its tokens; it authenticates with its client_id alone.
    revocation_endpoint_auth_methods_supported: [...secretMethods, 'none'],
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    introspection_endpoint_auth_methods_supported: secretMethods,
    grant_types_supported: grantTypes.map(({ type }) => type),
    response_types_supported: [],
  };
}
