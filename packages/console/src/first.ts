import { baseUrlOf } from './base-url.ts';
import { opening } from './opening.ts';
import { readFragment } from './session/fragment.ts';
import { signInSilently } from './session/silent.ts';

// A small file of its own, which the page names first: in a browser with a login the token is on its way before the other scripts are.

/** What the page was opened with. An answer is erased from the address bar before anything else. */
export const fragment = readFragment(location.hash);
if (fragment.kind === 'answer') history.replaceState(null, '', location.pathname);

export const baseUrl = baseUrlOf(location);
export const issuer = describedBy('issuer') ?? baseUrl;

/** Whether the server gives no token at the authorization endpoint. */
export const usesCodes = describedBy('codes') === 'true';

export const opened =
  fragment.kind === 'answer'
    ? { type: 'begin' as const }
    : opening(baseUrl, issuer, describedBy('alternatives')?.split(' ') ?? []);

/** The grant by the login of the browser; `undefined` when it has none, or this is no time for it. */
export const silentGrant =
  opened.type === 'begin' && fragment.kind !== 'answer' && describedBy('session') === 'true'
    ? signInSilently({ baseUrl, issuer, now: Date.now })
    : undefined;

/** The data of the server in the head of the page. */
export function describedBy(name: string): string | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="watchword-${name}"]`)?.content;
  return content === '' ? undefined : content;
}
