import { atRedirectUri } from './at-redirect-uri.ts';
import type { ResponseParameters, TargetKind } from './target-kind.ts';

/** A response goes to the redirect URI, in its query (RFC 6749 §4.1.2). */
export const query = { name: 'query', ...redirect(inQuery) } satisfies TargetKind;

/** A response goes to the redirect URI, in its fragment (RFC 6749 §4.2.2). */
export const fragment = { name: 'fragment', ...redirect(inFragment) } satisfies TargetKind;

function redirect(locationOf: typeof inQuery) {
  const respond = (uri: string, parameters: ResponseParameters) =>
    ({ type: 'redirect', location: locationOf(uri, parameters) }) as const;
  return { ...atRedirectUri, respond, offer: respond };
}

/** A URI with parameters in its query. */
export function inQuery(uri: string, parameters: ResponseParameters): string {
  return `${uri}${separator(uri)}${encoded(parameters)}`;
}

function separator(uri: string): string {
  if (!uri.includes('?')) return '?';
  return /[?&]$/.test(uri) ? '' : '&';
}

function inFragment(uri: string, parameters: ResponseParameters): string {
  return `${uri}#${encoded(parameters)}`;
}

function encoded(parameters: ResponseParameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}
