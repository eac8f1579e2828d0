import { type Client, isPublicClient } from '../../model/records/client.ts';
import { administrationClientId } from '../../rules/built-in-records.ts';
import { isRegisteredRedirectUri } from '../../rules/redirect-uri.ts';
import type { TargetKind } from './target-kind.ts';

/** What all targets at a redirect URI have in common. */
export const atRedirectUri = {
  /**
   * The administration pages are no native application: on another port of this machine another user could listen, and would get
   * the token of an administrator.
   */
  isAllowedFor(uri: string, { clientId, redirectUris }: Client): boolean {
    const isExact = redirectUris.includes(uri);
    return isRegisteredRedirectUri(uri, redirectUris) && (isExact || clientId !== administrationClientId);
  },

  registered({ redirectUris: [only, ...others] }: Client): string | undefined {
    return others.length === 0 ? only : undefined;
  },

  /**
   * Any program can claim to be a public client. If the redirect URI is an https address, or a page of this server, only the client
   * gets the response. At a loopback port or a private-use scheme any program can listen (RFC 8252 §8.6, OAuth 2.1 §7.3.1).
   */
  isCertain(uri: string, client: Client, issuer: string): boolean {
    return !isPublicClient(client) || /^https:\/\//i.test(uri) || uri.startsWith(`${issuer}/`);
  },

  destination(uri: string) {
    const { protocol, host, origin } = new URL(uri);
    const consentText = { key: 'consent.return' };
    // A private-use scheme (RFC 8252 §7.1) is the only part of such a URI that identifies the application.
    return protocol === 'https:' || protocol === 'http:'
      ? { host, formTarget: origin, consentText }
      : { host: protocol.slice(0, -1), formTarget: protocol, consentText };
  },
} satisfies Partial<TargetKind>;
