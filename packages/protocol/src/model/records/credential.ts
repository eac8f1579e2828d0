import type { Identity } from '../resource-owner.ts';

/** What a person proves a login with, beside a password. A trusted browser stands for the second factor that was proved in it before. */
export type CredentialKind = 'passkey' | 'totp' | 'recovery_code' | 'trusted_browser';

/** A credential of a person, of any identity provider. A password is in `Account`. */
export interface Credential {
  /** UUIDv7. */
  readonly id: string;
  /** The subject of the person: that of the account, for a local one. */
  readonly subject: string;
  /** Who the person is. */
  readonly owner: Identity;
  readonly kind: CredentialKind;
  /** By which the person knows it; empty for a recovery code. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds; 0 if it was never used. */
  readonly lastUsed: number;
  /** The credential id of a passkey (base64url), by which it is found without its person. No two credentials have the same. */
  readonly handle?: string;
  /** What grows with each use: the signature counter of a passkey, the time step of a one-time code. 0 if nothing does, or it was never used. */
  readonly counter: number;
  /** JSON text of what its kind keeps. A secret in it is sealed or hashed. */
  readonly data: string;
}
