import { type AuthorizationMetadata, authorizationMetadata } from '../authorize/metadata.ts';
import type { ResponseTypes } from '../authorize/response-types/response-types.ts';
import type { GrantType } from '../grants/grant-type.ts';

/** Authorization server metadata (RFC 8414 §2, RFC 9207 §3). */
export interface AuthorizationServerMetadata extends AuthorizationMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly authorization_response_iss_parameter_supported: true;
  readonly token_endpoint: string;
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly revocation_endpoint: string;
  readonly revocation_endpoint_auth_methods_supported: readonly string[];
  readonly introspection_endpoint: string;
  readonly introspection_endpoint_auth_methods_supported: readonly string[];
  readonly ui_locales_supported: readonly string[];
}

const secretMethods = ['client_secret_basic', 'client_secret_post'];
// A public client authenticates with its client_id alone.
const allMethods = [...secretMethods, 'none'];

/**
 * @param issuer the base URL, without a slash at its end; endpoints are named relative to it
 * @param uiLocales languages of the pages (BCP 47)
 */
export function authorizationServerMetadata(
  issuer: string,
  grantTypes: readonly GrantType[],
  responseTypes: ResponseTypes,
  uiLocales: readonly string[],
): AuthorizationServerMetadata {
  const authorization = authorizationMetadata(responseTypes);
  return {
    ...authorization,
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    authorization_response_iss_parameter_supported: true,
    token_endpoint: `${issuer}/oauth2/token`,
    token_endpoint_auth_methods_supported: allMethods,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: allMethods,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    introspection_endpoint_auth_methods_supported: secretMethods,
    grant_types_supported: [...grantTypes.map(({ type }) => type), ...authorization.grant_types_supported],
    ui_locales_supported: uiLocales,
  };
}
