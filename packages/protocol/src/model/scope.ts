/** Scope tokens in the order of their first mention, without repetition (RFC 6749 §3.3). */
export type Scopes = readonly string[];

/** The wire form: scope tokens separated by single spaces. */
export function formatScope(scopes: Scopes): string {
  return scopes.join(' ');
}
