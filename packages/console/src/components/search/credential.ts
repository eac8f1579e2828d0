/** What each prefix of this server begins. */
const kinds = {
  a: 'accessToken',
  c: 'code',
  r: 'refreshToken',
  l: 'login',
  s: 'secret',
  p: 'resetLink',
} as const;

/** A credential that a text contains. */
export interface FoundCredential {
  readonly kind: (typeof kinds)[keyof typeof kinds];
  /** The access token, when the text has a whole one. */
  readonly accessToken: string | undefined;
}

/**
 * Finds a credential of this server in a text that was typed or pasted, also within other text such as a header. Such a text
 * must not get into an address: addresses are kept in histories and logs.
 */
export function credentialIn(text: string): FoundCredential | undefined {
  // A JWT begins with the Base64 of `{"`. One that is no access token is found nowhere.
  const [accessToken] = /wwa_[\w-]{70}|\beyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(text) ?? [];
  const [, prefix = accessToken && 'a'] = /ww([acrlsp])_/.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  return { kind: accessToken === undefined ? kinds[prefix as keyof typeof kinds] : kinds.a, accessToken };
}
