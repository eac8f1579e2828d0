import type { Client } from '../model/records/client.ts';
import { redirectUriProblem } from '../model/redirect-uri.ts';

/** Where the browser goes after a logout: an address that the client has registered. */
export interface LogoutReturn {
  readonly clientRecordId: number;
  readonly redirectUri: string;
  /** The client's `state`, which the redirect repeats. */
  readonly state?: string;
}

/** What a logout keeps while the user is asked, or is at the identity provider. */
export interface PendingLogout {
  readonly returnTo?: LogoutReturn | undefined;
  /** The languages that the client requests for pages, best first (BCP 47). */
  readonly languages: readonly string[];
}

/** Whether the browser can go to this address after a logout: the client has registered exactly this text. */
export function isPostLogoutRedirectUri(
  { postLogoutRedirectUris }: Pick<Client, 'postLogoutRedirectUris'>,
  uri: string,
): boolean {
  return postLogoutRedirectUris.includes(uri) && redirectUriProblem(uri) === undefined;
}
