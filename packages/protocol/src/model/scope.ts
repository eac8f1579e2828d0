/** Scope tokens in the order of their first mention, without repetition (RFC 6749 §3.3). */
export type Scopes = readonly string[];

/** RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ) */
export const scopeTokenPattern = '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$';

const scopeToken = new RegExp(scopeTokenPattern);

export function isScopeToken(value: string): boolean {
  return scopeToken.test(value);
}

/** The wire form: scope tokens separated by single spaces. */
export function formatScope(scopes: Scopes): string {
  return scopes.join(' ');
}
