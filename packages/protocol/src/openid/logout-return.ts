import type { Client } from '../model/client.ts';
import { redirectUriProblem } from '../model/redirect-uri.ts';

/** Where the browser goes after a logout: an address that the client has registered. */
export interface LogoutReturn {
  readonly clientRecordId: number;
  readonly redirectUri: string;
  /** The client's `state`, which the redirect repeats. */
  readonly state?: string;
}

/** Whether the browser can go to this address after a logout: the client has registered exactly this text. */
export function isPostLogoutRedirectUri(
  { postLogoutRedirectUris }: Pick<Client, 'postLogoutRedirectUris'>,
  uri: string,
): boolean {
  return postLogoutRedirectUris.includes(uri) && redirectUriProblem(uri) === undefined;
}
