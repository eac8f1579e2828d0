import type { TokenSigner } from '../ports/crypto/token-signer.ts';

export interface IdTokenHintDependencies {
  readonly signer: Pick<TokenSigner, 'verify'>;
  /** The issuer identifier of this server. */
  readonly issuer: string;
}

/** The user and the session that an ID token of this server names. It can have expired. */
export interface IdTokenHint {
  /** `client_id` of the client that the ID token was issued to. */
  readonly clientId: string;
  /** `sub` of the user, as this client knows the user. */
  readonly subject: string;
  readonly sid: string | undefined;
}

/**
 * Reads `id_token_hint`: every check of OpenID Connect Core §3.1.3.7 but expiry and nonce (RP-Initiated Logout §2).
 * `undefined` for every text that is not an ID token of this server.
 */
export async function readIdTokenHint(
  text: string,
  { signer, issuer }: IdTokenHintDependencies,
): Promise<IdTokenHint | undefined> {
  const claims = await signer.verify(text, { type: 'JWT', keys: 'everSigned' });
  if (claims === undefined || claims.iss !== issuer) return undefined;
  const { aud, azp, sub, sid, iat, exp } = claims;
  // A signed answer of the userinfo endpoint has no times. An API can get one with the access token of the user.
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  // An ID token of this server has one audience.
  const [clientId, ...others] = Array.isArray(aud) ? aud : [aud];
  if (typeof clientId !== 'string' || others.length > 0 || typeof sub !== 'string') return undefined;
  if (azp !== undefined && azp !== clientId) return undefined;
  return { clientId, subject: sub, sid: typeof sid === 'string' ? sid : undefined };
}
