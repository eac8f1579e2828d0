import type { Client } from '../model/client.ts';
import { administrationClientId } from '../rules/built-in-records.ts';
import { isRegisteredRedirectUri } from '../rules/redirect-uri.ts';

/**
 * Whether an answer for the client may go to that redirect URI. The administration pages are no native application: on
 * another port of this machine another user could listen, and would get an administrator's token.
 */
export function mayReturnTo({ clientId, redirectUris }: Client, uri: string): boolean {
  const isExact = redirectUris.includes(uri);
  return isRegisteredRedirectUri(uri, redirectUris) && (isExact || clientId !== administrationClientId);
}
