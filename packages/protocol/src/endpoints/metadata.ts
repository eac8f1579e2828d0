import type { ResponseTypes } from '../authorize/response-types/response-types.ts';
import { acceptsForIntrospection } from '../clients/authentication/authenticate-introspection-caller.ts';
import type { ClientAuthenticationMethod } from '../clients/authentication/authentication-method.ts';
import type { GrantType } from '../grants/grant-type.ts';
import type { ProfileChecks } from '../rules/profile-checks.ts';
import { dpopAlgorithms } from '../tokens/dpop-proofs.ts';

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
  /** RFC 9449 §5.1. */
  readonly dpop_signing_alg_values_supported: readonly string[];
}

/** The parts of the server that clients must know. */
export interface ServerCapabilities {
  readonly grantTypes: readonly GrantType[];
  readonly responseTypes: ResponseTypes;
  readonly authenticationMethods: readonly ClientAuthenticationMethod[];
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
}

/** @param issuer the base URL, without a slash at its end; endpoints are named relative to it */
export function authorizationServerMetadata(
  issuer: string,
  { grantTypes, responseTypes, authenticationMethods: all, profile }: ServerCapabilities,
): AuthorizationServerMetadata {
  const authorization = authorizationMetadata(responseTypes);
  const authenticationMethods = all.filter(({ isPrivate }) => isPrivate !== true);
  const clientMethods = authenticationMethods.filter(({ name }) => profile?.takesMethod(name) !== false);
  // Resource servers call it too, by their secrets: no profile asks them for keys.
  const introspectionMethods = authenticationMethods.filter(acceptsForIntrospection);
  return {
    ...authorization,
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    authorization_response_iss_parameter_supported: true,
    token_endpoint: `${issuer}/oauth2/token`,
    ...authenticationMetadata('token', clientMethods),
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    ...authenticationMetadata('revocation', clientMethods),
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    ...authenticationMetadata('introspection', introspectionMethods),
    tokeninfo_endpoint: `${issuer}/v1/tokeninfo`,
    revocation_feed_endpoint: `${issuer}/oauth2/revocations`,
    dpop_signing_alg_values_supported: profile?.clientAlgorithms ?? dpopAlgorithms,
    grant_types_supported: [...grantTypes.map(({ type }) => type), ...authorization.grant_types_supported],
  };
}

/** The members that the authorization endpoint and its response types add to the metadata of the server (RFC 8414 §2). */
export interface AuthorizationMetadata {
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
}

export function authorizationMetadata(responseTypes: ResponseTypes): AuthorizationMetadata {
  return {
    response_types_supported: responseTypes.map(({ name }) => name),
    response_modes_supported: [...new Set(responseTypes.flatMap(({ responseModes }) => responseModes))],
    grant_types_supported: [],
    ...membersOf(responseTypes),
  };
}

/** A member without a value is left out (RFC 8414 §3.2). */
function membersOf(responseTypes: ResponseTypes): Readonly<Record<string, readonly string[]>> {
  const members: Record<string, readonly string[]> = {};
  for (const { metadata } of responseTypes) {
    for (const [name, values = []] of Object.entries(metadata)) {
      members[name] = [...new Set([...(members[name] ?? []), ...values])];
    }
  }
  return members;
}

/** How clients authenticate at an endpoint (RFC 8414 §2). */
type AuthenticationMetadata<Endpoint extends string> = {
  readonly [Name in `${Endpoint}_endpoint_auth_methods_supported`]: readonly string[];
} & {
  readonly [Name in `${Endpoint}_endpoint_auth_signing_alg_values_supported`]?: readonly string[];
};

/** @param methods the methods of the endpoint */
function authenticationMetadata<Endpoint extends string>(
  endpoint: Endpoint,
  methods: readonly ClientAuthenticationMethod[],
): AuthenticationMetadata<Endpoint> {
  const algorithms = new Set(methods.flatMap(({ signingAlgorithms = [] }) => signingAlgorithms));
  const names = { [`${endpoint}_endpoint_auth_methods_supported`]: methods.map(({ name }) => name) };
  const signing = { [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: [...algorithms] };
  return { ...names, ...(algorithms.size > 0 && signing) } as AuthenticationMetadata<Endpoint>;
}
