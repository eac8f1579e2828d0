import type { Scopes } from '../scope.ts';

/** How the text of an access token is written: a random text, or a JWT (RFC 9068). */
export type AccessTokenFormatName = 'opaque' | 'jwt';

/** An access token as it is issued. */
export interface AccessToken {
  /** UUIDv7 in canonical text form, which orders tokens by the time of their issue: the selector, or `jti` of a JWT. */
  readonly id: string;
  /** SHA-256 digest of the verifier, 32 bytes; `undefined` for a JWT, which is not stored. */
  readonly verifierHash: Uint8Array | undefined;
  /** Record id of the client it was issued to. */
  readonly clientRecordId: number;
  /** Id of the grant that it belongs to; `undefined` for a client-credentials token, which has no resource owner. */
  readonly grantId: string | undefined;
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Present when the client must prove possession of a key. */
  readonly confirmation?: Confirmation | undefined;
}

/** A stored access token. Only the digest of its verifier is stored, so that a stolen database gives no access. */
export interface StoredAccessToken extends AccessToken {
  readonly verifierHash: Uint8Array;
}

export function isStored(token: AccessToken): token is StoredAccessToken {
  return token.verifierHash !== undefined;
}

/** Which key the client must prove to possess when it presents the token: `cnf` (RFC 7800 §3.1). */
export interface Confirmation {
  /** SHA-256 thumbprint of the key of DPoP proofs (RFC 9449 §6.1). */
  readonly jkt?: string;
  /** SHA-256 thumbprint of the client's certificate (RFC 8705 §3.1). */
  readonly 'x5t#S256'?: string;
}

/** Value of `token_type` (RFC 6749 §7.1). A token that is bound to a certificate is presented like a bearer token. */
export type TokenType = 'bearer' | 'DPoP';

export function tokenTypeOf({ confirmation }: Pick<AccessToken, 'confirmation'>): TokenType {
  return confirmation?.jkt === undefined ? 'bearer' : 'DPoP';
}

export function isExpired({ expires }: Pick<AccessToken, 'expires'>, now: number): boolean {
  return expires !== 0 && expires <= now;
}
