/**
 * The parameters of an authorization request: every value of each, in order. The reader does not care what carried them:
 * a query, a form, a pushed request (RFC 9126) or a request object (RFC 9101).
 */
export type AuthorizationParameters = ReadonlyMap<string, readonly string[]>;

/** Everything that a request can ask for. What else is sent together with a pushed request or in a request object is of no request. */
const parametersOfRequests: ReadonlySet<string> = new Set([
  'acr_values',
  'authenticator_hint',
  'claims',
  'claims_locales',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'dpop_jkt',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'registration',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ui_locales',
]);

/** Of what came, the parameters of the request alone. No secret is one. */
export function onlyOfRequest(parameters: AuthorizationParameters): AuthorizationParameters {
  return new Map([...parameters].filter(([name]) => parametersOfRequests.has(name)));
}

/** The first value of a parameter. An empty value is the same as an absent one (RFC 6749 §3.1). */
export function firstValue(parameters: AuthorizationParameters, name: string): string | undefined {
  return parameters.get(name)?.[0] || undefined;
}

export function isRepeated(parameters: AuthorizationParameters, name: string): boolean {
  return (parameters.get(name)?.length ?? 0) > 1;
}

/** The one client that a request names; `undefined` if it names none, or two. */
export function namedClientId(parameters: AuthorizationParameters): string | undefined {
  return isRepeated(parameters, 'client_id') ? undefined : firstValue(parameters, 'client_id');
}
