/**
 * The parameters of an authorization request: every value of each, in order. The reader does not care what carried them:
 * a query, a form, later a pushed request (RFC 9126) or a request object (RFC 9101).
 */
export type AuthorizationParameters = ReadonlyMap<string, readonly string[]>;

/** The first value of a parameter. An empty value is the same as an absent one (RFC 6749 §3.1). */
export function firstValue(parameters: AuthorizationParameters, name: string): string | undefined {
  return parameters.get(name)?.[0] || undefined;
}

export function isRepeated(parameters: AuthorizationParameters, name: string): boolean {
  return (parameters.get(name)?.length ?? 0) > 1;
}
