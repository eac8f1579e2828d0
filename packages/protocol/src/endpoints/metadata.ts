import { type AuthorizationMetadata, authorizationMetadata } from '../authorize/metadata.ts';
import type { ResponseTypes } from '../authorize/response-types/response-types.ts';
import { acceptsForIntrospection } from '../clients/authenticate-introspection-caller.ts';
import { type AuthenticationMetadata, authenticationMetadata } from '../clients/authentication-metadata.ts';
import type { ClientAuthenticationMethod } from '../clients/authentication-method.ts';
import type { GrantType } from '../grants/grant-type.ts';

/** Authorization server metadata (RFC 8414 §2, RFC 9207 §3), and what only the APIs of this server need. */
export interface AuthorizationServerMetadata
  extends AuthorizationMetadata,
    AuthenticationMetadata<'token' | 'revocation' | 'introspection'> {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly authorization_response_iss_parameter_supported: true;
  readonly token_endpoint: string;
  readonly revocation_endpoint: string;
  readonly introspection_endpoint: string;
  readonly tokeninfo_endpoint: string;
  readonly revocation_feed_endpoint: string;
}

/** The parts of the server that clients must know. */
export interface ServerCapabilities {
  readonly grantTypes: readonly GrantType[];
  readonly responseTypes: ResponseTypes;
  readonly authenticationMethods: readonly ClientAuthenticationMethod[];
}

/** @param issuer the base URL, without a slash at its end; endpoints are named relative to it */
export function authorizationServerMetadata(
  issuer: string,
  { grantTypes, responseTypes, authenticationMethods }: ServerCapabilities,
): AuthorizationServerMetadata {
  const authorization = authorizationMetadata(responseTypes);
  const introspectionMethods = authenticationMethods.filter(acceptsForIntrospection);
  return {
    ...authorization,
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    authorization_response_iss_parameter_supported: true,
    token_endpoint: `${issuer}/oauth2/token`,
    ...authenticationMetadata('token', authenticationMethods),
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    ...authenticationMetadata('revocation', authenticationMethods),
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    ...authenticationMetadata('introspection', introspectionMethods),
    tokeninfo_endpoint: `${issuer}/v1/tokeninfo`,
    revocation_feed_endpoint: `${issuer}/oauth2/revocations`,
    grant_types_supported: [...grantTypes.map(({ type }) => type), ...authorization.grant_types_supported],
  };
}
