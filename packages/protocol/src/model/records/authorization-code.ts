import type { Scopes } from '../scope.ts';

/** A stored authorization code (RFC 6749 §4.1.2). Only the digest of its verifier is stored. */
export interface AuthorizationCode {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** SHA-256 digest of the verifier, 32 bytes. */
  readonly verifierHash: Uint8Array;
  readonly grantId: string;
  /** Record id of the client it was issued to. */
  readonly clientRecordId: number;
  /** The `redirect_uri` of the authorization request; `undefined` when it named none. */
  readonly redirectUri: string | undefined;
  /** The S256 `code_challenge` (RFC 7636 §4.2). */
  readonly codeChallenge: string | undefined;
  /** The `nonce` of the authorization request (OpenID Connect Core §3.1.2.1); absent when it had none. */
  readonly nonce?: string;
  /** The key of the proofs with which alone it can be redeemed (RFC 9449 §10); absent when the authorization request named none. */
  readonly dpopJkt?: string;
  readonly scopes: Scopes;
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly creationDate: number;
}
