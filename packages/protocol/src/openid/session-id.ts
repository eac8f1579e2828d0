import { keyedDigest } from '../keys/keyed-digest.ts';

// With four texts, the digest is never that of a user, which has three.
const label = ['OpenID Connect', 'sid'] as const;

/**
 * `sid` of a login session at one client (OpenID Connect Back-Channel Logout §2.1), in ID tokens and logout tokens. Another
 * client has another value for the same session, so that two clients cannot join their users by it.
 *
 * @param key of all subjects, see `SubjectKeyStore`
 * @param sessionId id of the login session
 */
export function sessionIdFor(key: Uint8Array, client: { readonly id: number }, sessionId: string): string {
  return keyedDigest(key, [...label, String(client.id), sessionId]);
}
