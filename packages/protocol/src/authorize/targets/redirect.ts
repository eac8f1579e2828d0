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

/** The redirect URI of the client with the parameters. */
export function redirectAnswer(
  { redirectUri, responseMode }: RedirectTarget,
  parameters: Readonly<Record<string, string>>,
): RedirectAnswer {
  const encoded = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return { type: 'redirect', location: `${redirectUri}${separator(redirectUri, responseMode)}${encoded}` };
}

function separator(redirectUri: string, responseMode: RedirectTarget['responseMode']): string {
  if (responseMode === 'fragment') return '#';
  if (!redirectUri.includes('?')) return '?';
  return /[?&]$/.test(redirectUri) ? '' : '&';
}
