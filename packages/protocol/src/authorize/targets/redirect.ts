/** A response goes to the redirect URI, in its query or its fragment (RFC 6749 §4.1.2, §4.2.2). */
export interface RedirectTarget {
  readonly type: 'redirect';
  readonly responseMode: 'query' | 'fragment';
  readonly redirectUri: string;
  /** The client's `state`, which every response repeats. */
  readonly state?: string;
}

/** The browser is sent to a location. */
export interface RedirectAnswer {
  readonly type: 'redirect';
  readonly location: string;
}

/** The redirect URI of the client with the parameters, the state and the issuer (RFC 9207 §2). */
export function redirectAnswer(
  { redirectUri, responseMode, state }: RedirectTarget,
  parameters: Readonly<Record<string, string>>,
  issuer: string,
): RedirectAnswer {
  const all = Object.entries({ ...parameters, ...(state !== undefined && { state }), iss: issuer });
  const encoded = all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return { type: 'redirect', location: `${redirectUri}${separator(redirectUri, responseMode)}${encoded}` };
}

function separator(redirectUri: string, responseMode: RedirectTarget['responseMode']): string {
  if (responseMode === 'fragment') return '#';
  if (!redirectUri.includes('?')) return '?';
  return /[?&]$/.test(redirectUri) ? '' : '&';
}
