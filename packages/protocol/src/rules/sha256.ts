import { hash, timingSafeEqual } from 'node:crypto';

/**
 * The SHA-256 digest, 32 bytes. It is computed as a string and copied into the buffer pool, because a digest that Node.js
 * returns as a buffer has separate memory, which costs the garbage collector more than all other work here.
 */
export function sha256(data: string | Uint8Array): Buffer {
  return Buffer.from(hash('sha256', data, 'latin1'), 'latin1');
}

/** Compares digests in a time that tells nothing of them. */
export function isSameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
