import type { Scopes } from '../scope.ts';
import type { Confirmation } from './access-token.ts';

/** A stored refresh token (RFC 6749 §6). Only the digest of its verifier is stored. */
export interface RefreshToken {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** SHA-256 digest of the verifier, 32 bytes. */
  readonly verifierHash: Uint8Array;
  readonly grantId: string;
  /** Record id of the client it was issued to. */
  readonly clientRecordId: number;
  /** The scopes that can be requested with the token. */
  readonly scopes: Scopes;
  /** Epoch milliseconds: when the token expires unless it is used before. */
  readonly expires: number;
  /** Epoch milliseconds: the absolute expiry of the token family, which use does not extend. */
  readonly absoluteExpires: number;
  readonly creationDate: number;
  /** Present when it can be used only with a proof of a key (RFC 9449 §5, RFC 8705 §4). */
  readonly confirmation?: Confirmation;
}
