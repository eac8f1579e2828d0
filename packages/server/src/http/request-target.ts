/** Scheme and authority of a target in absolute form. */
const authority = /^https?:\/\/([^/?#]*)/i;

/**
 * The target of a request in origin form, a path with or without a query. A server must take a target in absolute form too
 * (RFC 9112 §3.2.2).
 */
export function originForm(target: string): string {
  // Almost every target is in origin form.
  if (target.startsWith('/')) return target;
  const rest = target.replace(authority, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

/** The authority of a target in absolute form, as the client sent it; `undefined` for a target in any other form. */
export function authorityOf(target: string): string | undefined {
  return target.startsWith('/') ? undefined : authority.exec(target)?.[1];
}

/** The path of a target in origin form, encoded as the client sent it. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}
