/** What stands behind the `#` of the address. */
export type Fragment =
  | { readonly kind: 'none' }
  /** A place within the application: `#/clients`. */
  | { readonly kind: 'route'; readonly route: string }
  /** Anything else could be an answer of the authorization endpoint (RFC 6749 §4.2.2). */
  | { readonly kind: 'answer'; readonly parameters: URLSearchParams };

export function readFragment(hash: string): Fragment {
  const text = hash.replace(/^#/, '');
  if (text === '') return { kind: 'none' };
  if (text.startsWith('/')) return { kind: 'route', route: text };
  return { kind: 'answer', parameters: new URLSearchParams(text) };
}
