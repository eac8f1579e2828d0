/**
 * The stored secret of a client or a resource server: 256 random bits need no slow hash, so a
 * SHA-256 digest is all that is kept. After a rotation with an overlap, the previous secret is valid too,
 * until `previousValidUntil`.
 */
export interface MachineSecret {
  /** SHA-256 digest, 32 bytes. */
  readonly hash: Uint8Array;
  readonly previousHash: Uint8Array | undefined;
  /** Epoch milliseconds; 0 when there is no previous secret. */
  readonly previousValidUntil: number;
}
