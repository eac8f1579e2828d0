import { atRedirectUri } from './at-redirect-uri.ts';
import type { RedirectAnswer, ResponseParameters, Target, TargetKind } from './target-kind.ts';

/** A response goes to the redirect URI, in its query or its fragment (RFC 6749 §4.1.2, §4.2.2). */
export const redirect = {
  ...atRedirectUri,
  respond: redirectAnswer,
  offer: redirectAnswer,
} satisfies TargetKind;

/** The redirect URI of the client with the parameters. */
export function redirectAnswer(
  { address, responseMode }: Pick<Target, 'address' | 'responseMode'>,
  parameters: ResponseParameters,
): RedirectAnswer {
  const encoded = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return { type: 'redirect', location: `${address}${separator(address, responseMode)}${encoded}` };
}

function separator(redirectUri: string, responseMode: string): string {
  if (responseMode === 'fragment') return '#';
  if (!redirectUri.includes('?')) return '?';
  return /[?&]$/.test(redirectUri) ? '' : '&';
}
