import type { ClientAuthenticationMethod } from './authentication-method.ts';

/** How clients authenticate at an endpoint (RFC 8414 §2). */
export type AuthenticationMetadata<Endpoint extends string> = {
  readonly [Name in `${Endpoint}_endpoint_auth_methods_supported`]: readonly string[];
} & {
  readonly [Name in `${Endpoint}_endpoint_auth_signing_alg_values_supported`]?: readonly string[];
};

/** @param methods the methods of the endpoint */
export function authenticationMetadata<Endpoint extends string>(
  endpoint: Endpoint,
  methods: readonly ClientAuthenticationMethod[],
): AuthenticationMetadata<Endpoint> {
  const algorithms = new Set(methods.flatMap(({ signingAlgorithms = [] }) => signingAlgorithms));
  const names = { [`${endpoint}_endpoint_auth_methods_supported`]: methods.map(({ name }) => name) };
  const signing = { [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: [...algorithms] };
  return { ...names, ...(algorithms.size > 0 && signing) } as AuthenticationMetadata<Endpoint>;
}
