import { sha256 } from '@watchword/protocol';
import type { OidcDependencies } from '../dependencies.ts';
import type { IdTokenClaims } from './id-token.ts';

/** Links a login session of this server to the session at the provider. */
export interface LinkedSession {
  readonly sub: string;
  readonly sid?: string;
  /** For `id_token_hint`; absent if it is too long for an address. */
  readonly idToken?: string;
  /** Epoch milliseconds of the login at this server. */
  readonly since: number;
}

// Characters. Servers accept addresses of some thousands.
const maxHintLength = 4000;
// Milliseconds for which a session at the provider can be named by its `sid` alone.
const sidLifetime = 30 * 86_400_000;

/** A logout token of the provider finds the session by the key, whether it names the user or only the session. */
export async function sessionLink(
  { issuer, sub, sid }: Pick<IdTokenClaims, 'sub' | 'sid'> & { readonly issuer: string },
  idToken: string,
  { services }: Pick<OidcDependencies, 'services'>,
): Promise<{ readonly key: string; readonly data: string }> {
  const since = services.clock.now();
  const linked: LinkedSession = {
    sub,
    since,
    ...(sid !== undefined && { sid }),
    ...(idToken !== '' && idToken.length <= maxHintLength && { idToken }),
  };
  // Every later login in that session has the same user.
  if (sid !== undefined) await services.oneTime.put(userOfSession(issuer, sid), sub, since + sidLifetime);
  return { key: linkKey(issuer, sub), data: JSON.stringify(linked) };
}

/** The key by which all sessions of a user are found. */
export function linkKey(issuer: string, sub: string): string {
  return `oidc ${digest([issuer, sub])}`;
}

/** The key by which the user of a session at the provider is found. */
export function userOfSession(issuer: string, sid: string): string {
  return `oidc sid ${digest([issuer, sid])}`;
}

/** By which a logout token is found that was used before. */
export function usedToken(issuer: string, jti: string): string {
  return `oidc logout token ${digest([issuer, jti])}`;
}

function digest(texts: readonly string[]): string {
  return sha256(JSON.stringify(texts)).toString('base64url');
}
