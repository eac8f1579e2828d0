import type { ResourceOwner } from './resource-owner.ts';

/** A login that holds for several clients: the cookies have what this record has a digest of. */
export interface LoginSession {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** SHA-256 digest over those of the verifier and of the browser's binding cookie, 32 bytes. */
  readonly verifierHash: Uint8Array;
  /** Name of the authentication module that let the owner in. */
  readonly authenticator: string;
  readonly owner: ResourceOwner;
  /** Epoch milliseconds: when the owner proved who they are. */
  readonly authenticatedAt: number;
  /** Epoch milliseconds of the last use that was written down. */
  readonly lastUsed: number;
  /** Epoch milliseconds: the end, however much it is used. */
  readonly expires: number;
}
