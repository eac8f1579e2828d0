/** The members of a `WWW-Authenticate` header in addition to the error. */
export interface Challenge {
  /** Name of the protected space; default `api`. */
  readonly realm?: string | undefined;
  /** The scope that the request needs. */
  readonly scope?: readonly string[] | undefined;
}

// RFC 6749 §3.3, §5.2: of these characters none can end a quoted string or a line.
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;
const quotable = /^[\x20\x21\x23-\x5B\x5D-\x7E]*$/;

export function isScopeToken(value: unknown): value is string {
  return typeof value === 'string' && scopeToken.test(value);
}

/** Whether a text can be part of a quoted string without a change. */
export function isQuotable(value: unknown): value is string {
  return typeof value === 'string' && quotable.test(value);
}

/** The scope as one text; `undefined` if there is none, or one that no token can have, which may come from the request. */
export function nameableScope({ scope = [] }: Challenge): string | undefined {
  return scope.length > 0 && scope.every(isScopeToken) ? scope.join(' ') : undefined;
}

/** The value of a `WWW-Authenticate` header (RFC 6750 §3), without the attributes that cannot be quoted. */
export function formatChallenge(challenge: Challenge, error: Readonly<Record<string, string>> = {}): string {
  const realm = isQuotable(challenge.realm) ? challenge.realm : 'api';
  const pairs = Object.entries({ realm, scope: nameableScope(challenge), ...error }).flatMap(
    ([name, value]) => (isQuotable(value) ? [`${name}="${value}"`] : []),
  );
  return `Bearer ${pairs.join(', ')}`;
}
